; Bump mapping with a specular highlight: the fragment program of the ATTILA simulator's "bunny"
; example, as its compiler made it. t0 holds normals, i6 texture coordinates, i7 the vector to the
; light and i8 the vector to the eye, both in the space of the surface.
;! const c0 = 32 0 0 0
;! const c1 = 1 0.7 0 0
;! const c2 = 2
;! const c3 = 1
;! const c4 = 0.1
;! texture t0 = bumps
;! varying i6 = s, -t, 0, 1
;! varying i7 = -0.5-s, t-0.5, 0.7, 0
;! varying i8 = -s, t, 2, 0
        tex     r0, i6, t0
        mad     r0, r0, c2, -c3         ; the normal, from 0..1 to -1..1
        dp3     r0.w, r0, r0
        rsq     r0.w, r0.w
        mul     r0, r0, r0.w
        dp3     r1.w, i7, i7
        rsq     r1.w, r1.w
        mul     r1, i7, r1.w            ; to the light
        dp3     r2.w, i8, i8
        rsq     r2.w, r2.w
        mul     r2, i8, r2.w            ; to the eye
        dp3     r3, r2, r0
        mul     r3, r3, r0
        mad     r3, r3, c2, -r2         ; the eye's reflection
        dp3_sat r4, r1, r0              ; diffuse
        dp3_sat r5, r3, r1              ; specular
        lg2     r5, r5.x
        mul     r5, r5.x, c0.x
        ex2     r5, r5.x
        mad     r6, r4, c1, r5
        mad     o1, c1, c4, r6 <- end
