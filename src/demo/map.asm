; A map with contour lines: the derivatives of the height make the lines equally wide everywhere,
; and shade the slopes.
;! const c0 = 15 0.5 1.2 1.0         ; lines; ...; half a line's width in pixels, and its edge
;! const c1 = 0.42 0.50 0.58 0.68    ; sea, sand, woods, rock
;! const c2 = 0.14 0.33 0.52 1       ; colours
;! const c3 = 0.88 0.80 0.58 1
;! const c4 = 0.47 0.62 0.34 1
;! const c5 = 0.53 0.47 0.39 1
;! const c6 = 0.95 0.95 0.97 1
;! const c7 = 9 0 1 0.35             ; slope to shade; ...; darkness of a line
;! texture t0 = clouds
;! varying i6 = 0.16*s+0.37, 0.16*t+0.55, 0, 1
        tex     r0, i6, t0
        add     r1, r0.x, -c1           ; above the sea, the sand, ...
        cmp     r2, r1.z, c4, c5
        cmp     r2, r1.y, c3, r2
        cmp     r2, r1.x, c2, r2
        cmp     r3, r1.w, r2, c6
        cmp     r2, r1.z, r2, r3
        ddx     r4.x, r0.x
        ddy     r4.y, r0.x
        add     r5.x, r4.x, r4.y        ; light from the upper left
        mul     r5.x, r5.x, c7.x
        cmp     r5.x, r1.x, c7.y, r5.x  ; the sea is flat
        mad     r2, r2, r5.x, r2
        mul     r0.x, r0.x, c0.x        ; distance to the nearest line
        add     r0.y, r0.x, 0.5
        frc     r0.y, r0.y
        add     r0.y, r0.y, -0.5
        add     r4.x, |r4.x|, |r4.y|
        mul     r4.x, r4.x, c0.x
        rcp     r4.x, r4.x
        mul     r0.y, |r0.y|, r4.x      ; ... in pixels
        add_sat r0.y, -r0.y, c0.z
        mul     r0.y, r0.y, c7.w
        mad     o1, r2, -r0.y, r2 <- end
