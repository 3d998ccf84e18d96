; Plasma: four waves, one along each axis, one across, one around a centre; then cosines for
; red, green and blue.
;! const c0 = 5 4 3.5 9
;! const c1 = 0.7 -0.3 1 0.25
;! const c2 = 0 2.1 4.2 0
;! const c3 = 0.5
;! varying i6 = s, t, 0, 1
        mul     r0.x, i6.x, c0.x
        mul     r0.y, i6.y, c0.y
        add     r0.z, i6.x, i6.y
        mul     r0.z, r0.z, c0.z
        add     r1.xy, i6, -c1          ; from the centre
        mul     r1.xy, r1, r1
        add     r1.x, r1.x, r1.y
        rsq     r1.y, r1.x
        mul     r1.x, r1.x, r1.y        ; the distance
        mul     r0.w, r1.x, c0.w
        sin     r2.x, r0.x
        sin     r2.y, r0.y
        sin     r2.z, r0.z
        sin     r2.w, r0.w
        dp4     r3, r2, c1.zzzz
        mad     r3, r3, c1.z, c2
        cos     r4, r3.x
        cos     r4.y, r3.y
        cos     r4.z, r3.z
        mad     o1, r4, c3, c3 <- end
