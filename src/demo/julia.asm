; A Julia set: every lane goes round the loop as often as its own point needs.
;! const c0 = -0.79 0.156 64 160
;! const c1 = 0.045 0.06 0.09 0
;! const c2 = 3.6 3.1 2.5 0
;! const c3 = 0.5
;! const c4 = 0.04 0.02 0.08 1
;! varying i6 = 1.25*s, 1.25*t, 0, 1
        mov     r0.xy, i6               ; z
loop:   mul     r2.xy, r0, r0
        add     r3.x, r2.x, r2.y        ; |z|^2
        setpgt  p0, r3.x, c0.z
        jmp     p0, outside
        setpgt  p1, r1.x, c0.w
        jmp     p1, inside
        mul     r4.x, r0.x, r0.y        ; z := z^2 + c0
        add     r0.x, r2.x, -r2.y
        add     r0.y, r4.x, r4.x
        add     r0.xy, r0, c0
        add     r1.x, r1.x, 1           ; another time round
        jmp     true, loop
inside: mov     o1, c4 <- end
outside:                                ; smooth count: n + 3 - log2(log2 |z|^2)
        lg2     r3.x, r3.x
        lg2     r3.x, r3.x
        add     r1.x, r1.x, -r3.x
        mad     r5, r1.x, c1, c2        ; colours: cosines of different periods
        cos     r6, r5.x
        cos     r6.y, r5.y
        cos     r6.z, r5.z
        mad     o1, r6, c3, c3 <- end
