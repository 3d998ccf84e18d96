; A ring above a chequered floor, found by walking along the ray: a step as long as the distance to
; the nearest point of the ring is always safe. Pixels that miss the ring see the floor or the sky.
; Ring and floor then share the light; a second walk, towards the light, finds their shadows.
;
; r0 ray   r1 point   r2.x way gone, r2.y steps   r5 normal   r6 colour, r6.w gloss
;! const c0 = 0.35 2.1 3.9 0.001     ; the eye; close enough
;! const c1 = -0.08 -0.5 -0.92 96    ; forward; steps
;! const c2 = 0 0.88 -0.47 24        ; up; far enough
;! const c3 = 1.2 0.45 -0.45 0.02    ; ring: radius, thickness; floor: height; clear of a surface
;! const c4 = -0.5 0.7 0.51 40       ; to the light; shininess
;! const c5 = 0.98 0.47 0.13 0.7     ; ring
;! const c6 = 0.13 0.20 0.31 0.25    ; dark fields
;! const c7 = 0.86 0.87 0.88 0.25    ; bright fields
;! const c8 = 0.10 0.20 0.42 1       ; sky above
;! const c9 = 0.72 0.78 0.86 1       ; sky at the horizon
;! const c10 = 0 1 0.5 -0.11         ; 0; 1; fields per unit; fog per unit
;! const c11 = 0.14 0.26 0.85 2.2    ; ambient: from above, from all around; sun; sky's gradient
;! const c12 = 0.02 9 6 40           ; shadows: start, hardness, reach, steps
;! varying i6 = 0.64*s, 0.64*t, 0, 1
        mad     r0.xyz, c2, i6.y, c1
        add     r0.x, r0.x, i6.x
        dp3     r0.w, r0, r0
        rsq     r0.w, r0.w
        mul     r0.xyz, r0, r0.w        ; the ray, one unit long

walk:   mad     r1.xyz, r0, r2.x, c0
        mul     r3.x, r1.x, r1.x        ; distance to the ring: in the x-z plane first
        mad     r3.x, r1.z, r1.z, r3.x
        rsq     r3.y, r3.x
        mad     r3.x, r3.x, r3.y, -c3.x
        mul     r3.z, r3.x, r3.x        ; then within the ring's cross-section
        mad     r3.z, r1.y, r1.y, r3.z
        rsq     r3.w, r3.z
        mad     r3.z, r3.z, r3.w, -c3.y
        setplt  p0, r3.z, c0.w
        jmp     p0, ring
        add     r2.x, r2.x, r3.z
        add     r2.y, r2.y, 1
        setpgt  p1, r2.x, c2.w
        jmp     p1, missed
        setplt  p1, r2.y, c1.w
        jmp     p1, walk

missed: setplt  p1, r0.y, c10.x
        jmp     p1, floor
        mul_sat r4.x, r0.y, c11.w       ; the sky
        add     r5, c8, -c9
        mad     o1, r5, r4.x, c9 <- end

floor:  add     r2.x, c3.z, -c0.y
        rcp     r2.z, r0.y
        mul     r2.x, r2.x, r2.z
        mad     r1.xyz, r0, r2.x, c0
        mul     r4.xyz, r1, c10.z       ; fields
        frc     r4.xyz, r4
        sge     r4.xyz, r4, 0.5
        add     r4.x, r4.x, -r4.z
        add     r6, c7, -c6
        mad     r6, r6, |r4.x|, c6
        mov     r5.xyz, c10.xyxx
        jmp     true, light

ring:   mad     r4.x, -r3.y, c3.x, c10.y
        mov     r4.y, c10.y
        mul     r5.xyz, r1, r4.xyxx
        dp3     r5.w, r5, r5
        rsq     r5.w, r5.w
        mul     r5.xyz, r5, r5.w
        mov     r6, c5

light:  mad     r1.xyz, r5, c3.w, r1
        mov     r7.x, c12.x             ; the way towards the light
        mov     r7.y, c10.y             ; how much of it arrives
        mov     r7.z, c12.w             ; steps left
shadow: mad     r8.xyz, c4, r7.x, r1
        mul     r9.x, r8.x, r8.x
        mad     r9.x, r8.z, r8.z, r9.x
        rsq     r9.y, r9.x
        mad     r9.x, r9.x, r9.y, -c3.x
        mul     r9.z, r9.x, r9.x
        mad     r9.z, r8.y, r8.y, r9.z
        rsq     r9.w, r9.z
        mad     r9.z, r9.z, r9.w, -c3.y
        rcp     r9.w, r7.x
        mul     r9.w, r9.w, r9.z
        mul     r9.w, r9.w, c12.y
        min     r7.y, r9.w, r7.y
        setplt  p0, r9.z, c0.w
        jmp     p0, shade
        add     r7.x, r7.x, r9.z
        add     r7.z, r7.z, -1
        setpgt  p1, r7.x, c12.z
        jmp     p1, shade
        setpgt  p1, r7.z, c10.x
        jmp     p1, shadow

shade:  max     r7.y, r7.y, c10.x
        dp3     r8.x, r5, c4
        add     r9.xyz, c4, -r0         ; half way between the light and the eye
        dp3     r9.w, r9, r9
        rsq     r9.w, r9.w
        mul     r9.xyz, r9, r9.w
        dp3     r8.y, r5, r9
        mov     r8.w, c4.w
        lit     r8, r8
        mul     r8, r8, r7.y
        mad     r4.x, r5.y, c11.x, c11.y
        mad     r4.x, r8.y, c11.z, r4.x
        mul     r10, r6, r4.x
        mad     r10, r6.w, r8.z, r10
        mul     r4.x, r2.x, c10.w       ; fog
        ex2     r4.x, r4.x
        add     r10, r10, -c9
        mad     o1, r10, r4.x, c9 <- end
