; A sheet with round holes: KIL drops the fragments within them, and the picture beneath stays.
;! const c0 = 4 0.5 0.1 3            ; holes per unit; ...; a hole's radius squared; its rim
;! const c1 = 0.60 -0.80 0 0.3       ; light across the rims; how bright they are
;! const c2 = 0.21 0.24 0.27 1       ; the sheet
;! const c3 = 0.24 0 0 0             ; its grain
;! texture t0 = clouds
;! varying i6 = s, -t, 0, 1
        mul     r0.xy, i6, c0.x
        frc     r0.xy, r0
        add     r0.xy, r0, -0.5         ; from the centre of the hole
        mul     r1.xy, r0, r0
        add     r1.x, r1.x, r1.y
        add     r1.y, r1.x, -c0.z
        kil     r1.y
        rsq     r1.z, r1.x              ; the rim shines where it faces the light
        mul     r0.xy, r0, r1.z
        mul     r0.xy, r0, c1
        add     r0.x, r0.x, r0.y
        mul     r1.y, r1.y, -40
        ex2     r1.y, r1.y
        mul     r0.x, r0.x, r1.y
        tex     r2, i6, t0
        mad     r2.x, r2.x, c3.x, r0.x
        mul     r2.x, r2.x, c1.w
        add     o1, c2, r2.x <- end
