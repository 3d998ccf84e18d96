; The evening sky: what is seen through the holes of the sheet that is drawn over it.
;! const c0 = 0.05 0.08 0.25 1       ; above
;! const c1 = 0.98 0.56 0.28 1       ; below
;! const c2 = 0.15 -0.25 0.12 60     ; the sun: where, its radius squared, its sharpness
;! const c3 = 1 0.93 0.65 1
;! varying i6 = s, t, v, 1
        add     r0, c1, -c0
        mad     r0, r0, i6.z, c0
        add     r1.xy, i6, -c2
        mul     r1.xy, r1, r1
        add     r1.x, r1.x, r1.y
        add     r1.x, c2.z, -r1.x
        mul_sat r1.x, r1.x, c2.w
        add     r2, c3, -r0
        mad     o1, r2, r1.x, r0 <- end
