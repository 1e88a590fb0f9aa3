// SPDX-License-Identifier: MIT
// bodies_fragment.glsl - bodies: their material, computed from their own coordinates without
// textures, and the light of sun, sky and water on that. Lines are as wide as they
// are, but never thinner than a pixel: then they fade. MATERIAL is the function of the material that
// the program is built for: drivers that draw in software would run all of them for each pixel.

in vec3 away;
in vec3 facing;
in vec3 own;
flat in vec4 box;
flat in vec3 tint;
layout(location = 0) out vec4 colour;
layout(location = 1) out float along_view;

// What the surface is here. Bumps and normals are along the body's own axes.
struct material {
    vec3 reflectance;
    float gloss, rough;  // of the coat on it: how much of a mirror, how wide its highlights
    float metal;         // part of it that is bare metal
    vec3 bump;           // added to the normal
    float open;          // what a gap or a corner of boards sees of the sky
    float through;       // of the light that shines through
};

vec3 wide;       // metres of the body's own axes in a pixel
vec3 own_normal; // smooth
float pixel;     // metres

// ---- Tools -------------------------------------------------------------------------------

// Part of a pixel `w` wide that is further than 0 in, `d` being how far its middle is.
float inside(float d, float w)
{
    return clamp(0.5 + d / max(w, 1e-7), 0.0, 1.0);
}

// A line with half the width `thick`, seen `d` from its middle.
float line(float d, float thick, float w)
{
    return inside(thick - abs(d), w) * min(1.0, 2.0 * thick / max(w, 1e-7));
}

// A number from 0 to 1 for whole numbers, another one in every body. In integers, because drivers
// round large sines each in its own way.
float hash(float n)
{
    uint k = uint(int(n) + 4096) * 747796405u + uint(box.w * 16777216.0) * 2891336453u;
    k = ((k >> ((k >> 28u) + 4u)) ^ k) * 277803737u;
    return float((k >> 22u) ^ (k & 1023u)) / 1023.0;
}

vec4 grain(vec2 place, vec2 size)
{
    float level = log2(max(pixel * 256.0 / min(size.x, size.y), 1e-3));
    return textureLod(grain_tile, place / size + box.w * vec2(7.31, 3.77), level);
}

// The same from three sides: noises, and slopes in `bump`.
vec2 grain_around(float size, out vec3 bump)
{
    vec3 weight = own_normal * own_normal;
    weight *= weight;
    weight /= weight.x + weight.y + weight.z;
    vec4 x = grain(own.yz, vec2(size)), y = grain(own.zx, vec2(size));
    vec4 z = grain(own.xy, vec2(size));
    bump = weight.x * vec3(0.0, x.xy - 0.5) + weight.y * vec3(y.y - 0.5, 0.0, y.x - 0.5) +
           weight.z * vec3(z.xy - 0.5, 0.0);
    return weight.x * x.ba + weight.y * y.ba + weight.z * z.ba;
}

// The colour of paint: white leaves the material's own.
vec3 paint(vec3 otherwise)
{
    float white = smoothstep(0.93, 0.99, min(tint.r, min(tint.g, tint.b)));
    return mix(tint * 0.8, otherwise, white);
}

// Wood whose fibres run along x of `place`; `board` is another number for every board.
vec3 wood(vec2 place, float board, float size, out float bump)
{
    vec2 shift = vec2(hash(board), hash(board + 17.0)) * 31.0 * size;
    vec4 fibres = grain(place + shift, vec2(3.2, 0.30) * size);
    vec4 figure = grain(place + shift.yx, vec2(7.0, 1.1) * size);
    float rings = 0.5 + 0.5 * sin(24.0 * figure.b + 9.0 * figure.a);
    float tone = 0.55 * fibres.b + 0.25 * rings + 0.35 * hash(board + 5.0);
    bump = fibres.g - 0.5;
    vec3 dark = vec3(0.155, 0.078, 0.033), light = vec3(0.47, 0.30, 0.155);
    return mix(dark, light, clamp(tone, 0.0, 1.0)) * (0.8 + 0.4 * fibres.a);
}

// ---- Crate -------------------------------------------------------------------------------

// A face of the box: place and half edges on it, its two axes, which face.
void find_face(out vec2 p, out vec2 h, out vec2 w, out vec3 right, out vec3 up, out float face)
{
    vec3 n = abs(own) / box.xyz;
    bool x = n.x > max(n.y, n.z), y = !x && n.y > n.z;
    p = x ? own.yz : y ? own.xz : own.xy;
    h = x ? box.yz : y ? box.xz : box.xy;
    w = x ? wide.yz : y ? wide.xz : wide.xy;
    right = x ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
    up = x || y ? vec3(0.0, 0.0, 1.0) : vec3(0.0, 1.0, 0.0);
    float side = x ? own.x : y ? own.y : own.z;
    face = (x ? 0.0 : y ? 2.0 : 4.0) + step(0.0, side);
}

material crate()
{
    vec2 p, h, w;
    vec3 right, up;
    float face;
    find_face(p, h, w, right, up, face);
    float small = min(h.x, h.y), board = 0.19 * small, gap = 0.012 * small;
    vec2 edge = h - abs(p);

    // Planks between the frame's boards, a brace from corner to corner on the upright faces.
    float rows = max(3.0, floor(2.0 * (h.y - board) / (0.36 * small) + 0.5));
    float tall = 2.0 * (h.y - board) / rows;
    float row = p.y / tall + 0.5 * rows, plank = floor(row);
    float seam = (0.5 - abs(fract(row) - 0.5)) * tall;
    vec2 corner = h - board, slope = normalize(vec2(corner.x, face < 2.0 ? corner.y : -corner.y));
    float brace = abs(p.x * slope.y - p.y * slope.x) - 0.5 * board;
    bool braced = face < 3.5 && brace < 0.0;
    bool post = edge.x < board, rail = !post && edge.y < board;
    bool in_front = post || rail || braced;

    // Everything is a board: where it lies along and across, and which one it is.
    vec2 aslant = vec2(dot(p, slope), p.x * slope.y - p.y * slope.x);
    vec2 along = post ? p.yx : !rail && braced ? aslant : p;
    float number = face * 31.0 + (post ? 20.0 + step(0.0, p.x) : rail ? 24.0 + step(0.0, p.y)
                                                              : braced ? 28.0 : plank);
    float fibres;
    material m;
    m.reflectance = wood(along, number, small, fibres) * tint * (in_front ? 1.08 : 0.86);
    m.gloss = 0.25;
    m.rough = 0.45;
    m.metal = m.through = 0.0;
    m.open = 1.0;

    // Raised boards shade what is behind them, and their edges catch the light.
    float step_edge = min(min(edge.x - board, edge.y - board), face < 3.5 ? brace : 1e6);
    float w_any = max(w.x, w.y);
    if (!in_front) {
        m.open = mix(0.42, 1.0, smoothstep(0.0, 0.32 * board, step_edge));
        m.open *= 1.0 - 0.85 * line(seam, gap, w.y);
    }
    float joint = post ? 1e6 : rail ? edge.x - board : braced ? 1e6 : step_edge;
    m.open *= 1.0 - 0.7 * line(joint, gap, w_any);
    if (rail)
        m.open *= 1.0 - 0.6 * line(edge.y - board, gap, w.y);
    if (post)
        m.open *= 1.0 - 0.6 * line(edge.x - board, gap, w.x);
    if (braced)
        m.open *= 1.0 - 0.6 * line(brace, gap, w_any);
    vec2 bevel = sign(p) * (1.0 - smoothstep(0.0, 0.05 * small, edge));
    float fine = 1.0 - smoothstep(0.01, 0.05, w_any / small);
    m.bump = (right * bevel.x + up * bevel.y) * 0.8 * fine + up * (fibres * 0.25 * fine);
    // Corners are worn.
    m.reflectance *= 1.0 + 0.35 * (1.0 - smoothstep(0.0, 0.05 * small, min(edge.x, edge.y))) * fine;

    // A nail in each post before every plank, and two in its ends.
    float height = (plank + 0.5 - 0.5 * rows) * tall;
    vec2 nail = vec2(abs(p.x) - (h.x - 0.5 * board), p.y - clamp(height, -corner.y, corner.y));
    float head = line(length(nail), 0.075 * board, w_any) * (post ? 1.0 : 0.0);
    m.reflectance = mix(m.reflectance, vec3(0.10, 0.095, 0.09), head);
    m.gloss = mix(m.gloss, 1.0, head);
    return m;
}

// ---- Barrel ------------------------------------------------------------------------------

material barrel()
{
    float radius = max(box.x, box.y), r = length(own.xy), angle = atan(own.y, own.x);
    bool lid = abs(own_normal.z) > 0.7;
    const float staves = 20.0;
    float turn = angle / (2.0 * pi) * staves, stave = mod(floor(turn), staves);
    float w_side = max(wide.x, wide.y);
    material m;
    m.gloss = 0.3;
    m.rough = 0.4;
    m.metal = m.through = 0.0;
    m.open = 1.0;
    m.bump = vec3(0.0);
    float fibres;
    if (lid) {
        float boards = 6.0, row = own.y / (2.0 * radius) * boards, plank = floor(row);
        float seam = (0.5 - abs(fract(row) - 0.5)) * 2.0 * radius / boards;
        m.reflectance = wood(own.xy, plank + 40.0, radius, fibres) * tint * 0.8;
        m.open *= 1.0 - 0.8 * line(seam, 0.012 * radius, w_side);
        // The staves stand out over the lid.
        float rim = 0.91 * radius;
        m.open *= mix(0.5, 1.0, r < rim ? smoothstep(0.0, 0.12 * radius, rim - r) : 1.0);
        if (r > rim)
            m.reflectance = wood(vec2(own.z + r, angle * radius), stave, radius, fibres) * tint;
        m.bump = vec3(0.0, fibres * 0.2, 0.0);
        return m;
    }
    float seam = (0.5 - abs(fract(turn) - 0.5)) * 2.0 * pi * radius / staves;
    m.reflectance = wood(vec2(own.z, angle * radius), stave, radius, fibres) * tint;
    m.open *= 1.0 - 0.75 * line(seam, 0.010 * radius, w_side);
    vec3 around = vec3(-own.y, own.x, 0.0) / max(r, 1e-6);
    float fine = 1.0 - smoothstep(0.01, 0.06, w_side / radius);
    // Every stave is a little rounded.
    m.bump = around * ((fract(turn) - 0.5) * 0.22 * fine + fibres * 0.15 * fine);

    // Hoops: two at each end, and two about the middle.
    float z = abs(own.z), tall = box.z, thick = 0.045 * tall;
    float hoop = min(min(abs(z - 0.93 * tall), abs(z - 0.68 * tall)), abs(z - 0.30 * tall));
    float covered = line(hoop, thick, wide.z);
    vec4 rust = grain(vec2(angle * radius, own.z), vec2(0.7 * radius));
    vec3 iron = mix(vec3(0.12, 0.115, 0.11), vec3(0.17, 0.075, 0.035),
                    smoothstep(0.45, 0.7, rust.b));
    m.open *= mix(mix(0.6, 1.0, smoothstep(thick, 1.6 * thick, hoop)), 1.0, covered);
    m.reflectance = mix(m.reflectance, iron, covered);
    m.metal = 0.6 * covered * (1.0 - smoothstep(0.4, 0.65, rust.b));
    m.rough = mix(m.rough, 0.28, covered);
    m.gloss = mix(m.gloss, 1.0, covered);
    m.bump *= 1.0 - covered;
    float rivet = line(length(vec2((fract(turn / 5.0) - 0.5) * 10.0 * pi * radius / staves, hoop)),
                       0.35 * thick, max(w_side, wide.z));
    m.reflectance *= 1.0 - 0.5 * rivet * covered;
    return m;
}

// ---- Stone, boat, cloth, metal, ball -----------------------------------------------------

material stone()
{
    float size = max(box.x, max(box.y, box.z));
    vec3 coarse_bump, bump, fine_bump;
    vec2 coarse = grain_around(5.3 * size, coarse_bump);
    vec2 middle = grain_around(1.3 * size, bump);
    vec2 fine = grain_around(0.23 * size, fine_bump);
    material m;
    float tone = 0.5 + 0.6 * (coarse.x - 0.5) + 0.45 * (middle.x - 0.5) + 0.6 * (fine.x - 0.5);
    vec3 grey = mix(vec3(0.13, 0.128, 0.125), vec3(0.34, 0.325, 0.30), clamp(tone, 0.0, 1.0));
    grey = mix(grey, vec3(0.27, 0.215, 0.155), 0.4 * smoothstep(0.5, 0.8, coarse.y));
    // Lichen on what lies open to the sky.
    float lichen = smoothstep(0.62, 0.74, middle.y + 0.4 * (fine.y - 0.5)) *
                   smoothstep(0.1, 0.8, own_normal.z);
    grey = mix(grey, vec3(0.24, 0.25, 0.15), 0.5 * lichen);
    m.reflectance = grey * tint;
    m.gloss = 0.2;
    m.rough = 0.5;
    m.metal = m.through = 0.0;
    m.open = 0.65 + 0.35 * smoothstep(0.25, 0.6, 0.5 * middle.x + 0.5 * fine.x);
    m.bump = coarse_bump * 0.8 + bump * 1.1 + fine_bump * 0.8;
    return m;
}

material boat()
{
    material m;
    vec3 bump;
    vec2 weathered = grain_around(0.8 * box.z, bump);
    float z = own.z / box.z, w = wide.z / box.z;
    m.metal = m.through = 0.0;
    m.open = 1.0;
    m.bump = bump * 0.04;
    if (own_normal.z > 0.75 && z > -0.2) {
        // A deck of narrow planks, caulked with pitch, and a broad one along its rim.
        float plank = 0.14 * box.y, row = own.y / plank;
        float seam = (0.5 - abs(fract(row) - 0.5)) * plank, fibres;
        float butt = own.x / (5.0 * plank) + hash(floor(row));
        float end = (0.5 - abs(fract(butt) - 0.5)) * 5.0 * plank;
        m.reflectance = wood(own.xy, floor(row) + 7.0 * floor(butt), 3.0 * plank, fibres) * 1.15;
        float pitch = max(line(seam, 0.035 * plank, wide.y), line(end, 0.035 * plank, wide.x));
        m.reflectance = mix(m.reflectance, vec3(0.025), 0.9 * pitch);
        m.gloss = 0.45;
        m.rough = 0.3;
        m.bump = vec3(0.0, fibres * 0.12, 0.0);
        return m;
    }
    // From the keel up: a coat against weeds, a boot stripe, white sides, and a rubbing strake
    // along the sheer, which rises towards the bow as that of RILL_BODY_HULL does.
    float t = 0.5 + 0.5 * own.x / box.x, sheer = 0.56 + 0.44 * t * t;
    vec3 bottom = paint(vec3(0.36, 0.045, 0.035)), side = vec3(0.78, 0.77, 0.74);
    vec3 stripe = mix(bottom * 0.25, vec3(0.02, 0.03, 0.07), 0.5);
    float above = inside(z + 0.12, w), higher = inside(z - 0.02, w);
    m.reflectance = mix(bottom, mix(stripe, side, higher), above);
    float strake = inside(z - sheer + 0.11, w);
    float fibres;
    vec3 oak = wood(vec2(own.x, own.z), 3.0, box.z, fibres);
    m.reflectance = mix(m.reflectance, oak, strake);
    // Planks of the hull show through the paint as fine lines.
    float laps = z * 7.0, lap = (0.5 - abs(fract(laps) - 0.5)) / 7.0;
    m.open *= 1.0 - 0.35 * line(lap, 0.006, w) * (1.0 - strake);
    m.open *= mix(1.0, 0.7, inside(z - sheer + 0.17, w) * (1.0 - strake));
    m.reflectance *= 0.86 + 0.28 * weathered.x;
    // Slime below, streaks above.
    float streaks = grain(own.xz, vec2(0.25, 2.5) * box.z).b;
    m.reflectance *= mix(1.0, 0.75 + 0.5 * streaks, 0.5 * above);
    m.reflectance = mix(m.reflectance, vec3(0.07, 0.09, 0.04),
                        (1.0 - above) * 0.5 * smoothstep(0.4, 0.7, weathered.y));
    m.gloss = 0.9;
    m.rough = mix(0.3, 0.14, above);
    return m;
}

material cloth()
{
    material m;
    vec2 p = own.xy, w = wide.xy;
    float size = max(box.x, box.y), stripe = size / 4.5;
    // The longer side is striped; a hem runs around.
    float along = box.x >= box.y ? p.x : p.y, w_along = box.x >= box.y ? w.x : w.y;
    float part = along / stripe, d = (0.5 - abs(fract(part) - 0.5)) * stripe;
    float dark = mod(floor(part), 2.0) < 0.5 ? inside(d, w_along) : 1.0 - inside(d, w_along);
    vec2 edge = box.xy - abs(p);
    float hem = inside(min(edge.x, edge.y) - 0.02 * size, max(w.x, w.y));
    vec3 dye = paint(vec3(0.55, 0.05, 0.045));
    m.reflectance = mix(vec3(0.72, 0.69, 0.62), dye, dark);
    m.reflectance = mix(m.reflectance * 0.75, m.reflectance, hem);
    // Threads over and under each other.
    float thread = 0.006 * size;
    vec2 t = p / thread;
    float over = mod(floor(t.x) + floor(t.y), 2.0);
    float weave = over > 0.5 ? sin(pi * fract(t.x)) : sin(pi * fract(t.y));
    float seen = 1.0 - smoothstep(0.15, 0.6, max(w.x, w.y) / thread);
    m.reflectance *= mix(0.85, 0.55 + 0.5 * weave, seen);
    vec3 bump;
    vec2 soft = grain_around(0.7 * size, bump);
    m.reflectance *= 0.9 + 0.2 * soft.x;
    m.bump = vec3(bump.xy * 0.15, 0.0);
    m.gloss = 0.15;
    m.rough = 0.6;
    m.metal = 0.0;
    m.open = 1.0;
    m.through = 0.35;
    return m;
}

material metal()
{
    vec2 p, h, w;
    vec3 right, up, bump;
    float face;
    find_face(p, h, w, right, up, face);
    float size = max(box.x, max(box.y, box.z)), small = min(box.x, min(box.y, box.z));
    vec2 coarse = grain_around(1.7 * size, bump);
    // Scratches lie askew, each kind in another direction, and only here and there.
    vec2 askew = mat2(0.91, 0.41, -0.41, 0.91) * p, other_way = mat2(0.34, -0.94, 0.94, 0.34) * p;
    vec4 fine = grain(p, vec2(0.25 * size));
    float first = grain(askew, vec2(3.7, 0.22) * size).b;
    float second = grain(other_way, vec2(4.9, 0.27) * size).a;
    material m;
    vec2 deep = smoothstep(0.72, 0.80, vec2(first, second) + 0.3 * (fine.b - 0.5));
    float worn = dot(deep, smoothstep(0.5, 0.62, coarse));
    vec2 edge = h - abs(p);
    float to_rim = min(edge.x, edge.y) / small + 0.12 * (fine.b - 0.5);
    float rim = 1.0 - smoothstep(0.0, 0.10, to_rim);
    worn = clamp(0.7 * worn + rim, 0.0, 1.0);
    float rust = worn * smoothstep(0.42, 0.62, coarse.x + 0.3 * (fine.a - 0.5));
    vec3 coat = paint(vec3(0.06, 0.17, 0.30)) * (0.88 + 0.24 * coarse.y);
    m.reflectance = mix(coat, vec3(0.30, 0.29, 0.28), worn);
    m.reflectance = mix(m.reflectance, vec3(0.20, 0.075, 0.03) * (0.6 + 0.8 * fine.b), rust);
    m.metal = 0.7 * worn * (1.0 - rust);
    m.gloss = 1.0 - 0.9 * rust;
    m.rough = mix(0.16, 0.34, worn);
    m.bump = bump * 0.06 + (right * (fine.x - 0.5) + up * (fine.y - 0.5)) * 0.15 * worn;
    m.open = 1.0;
    m.through = 0.0;
    return m;
}

material ball()
{
    float radius = max(box.x, max(box.y, box.z));
    float r = length(own.xy), w = max(wide.x, max(wide.y, wide.z));
    const float segments = 6.0;
    float turn = (atan(own.y, own.x) / (2.0 * pi) + 0.5) * segments;
    float segment = mod(floor(turn), segments);
    float d = (0.5 - abs(fract(turn) - 0.5)) * 2.0 * pi * max(r, 1e-6) / segments;
    vec3 dye = paint(vec3(0.80, 0.04, 0.03));
    vec3 other = mix(vec3(0.02, 0.16, 0.62), vec3(0.85, 0.62, 0.03), step(2.5, segment));
    bool white = mod(segment, 2.0) < 0.5;
    vec3 here = white ? vec3(0.82) : segment < 1.5 ? dye : other;
    vec3 beside = white ? here : vec3(0.82);
    material m;
    m.reflectance = mix(mix(here, beside, 0.5), here, inside(d, w) * 2.0 - 1.0);
    float cap = inside(0.17 * radius - r, w);
    m.reflectance = mix(m.reflectance, vec3(0.82), cap);
    float seam = min(d, abs(r - 0.17 * radius));
    m.open = 1.0 - 0.45 * line(seam, 0.008 * radius, w);
    vec3 bump;
    grain_around(1.2 * radius, bump);
    m.bump = bump * 0.03;
    m.gloss = 1.0;
    m.rough = 0.13;
    m.metal = 0.0;
    m.through = 0.06;
    return m;
}

material plain()
{
    float size = max(box.x, max(box.y, box.z));
    vec3 bump;
    vec2 fine = grain_around(0.6 * size, bump);
    material m;
    m.reflectance = paint(vec3(0.55, 0.53, 0.50)) * (0.94 + 0.12 * fine.x);
    m.gloss = 0.35;
    m.rough = 0.35;
    m.metal = m.through = 0.0;
    m.open = 1.0;
    m.bump = bump * 0.05;
    return m;
}

// ---- Light -------------------------------------------------------------------------------

#ifndef SOLID
// Level of the water beside the body, or far below where there is none.
float water_level(vec2 place)
{
    vec2 at = clamp(place * grid.w - 0.5, vec2(0.0), grid.xy - 1.0);
    ivec2 low = ivec2(at), last = ivec2(grid.xy) - 1;
    vec2 part = at - vec2(low);
    float level = 0.0, weights = 0.0;
    for (int k = 0; k < 4; k++) {
        ivec2 step = ivec2(k & 1, k >> 1), cell = min(low + step, last);
        float depth = texelFetch(column_map, cell, 0).r;
        vec2 near = mix(1.0 - part, part, vec2(step));
        float weight = depth > planes.w ? near.x * near.y + 1e-4 : 0.0;
        level += weight * (texelFetch(height_map, cell, 0).r + depth);
        weights += weight;
    }
    return weights > 0.0 ? level / weights : -1e9;
}
#endif

void main()
{
    float distance = length(away);
    vec3 view = -away / distance, place = eye.xyz + away;
    vec3 across = dFdx(away), upwards = dFdy(away), own_across = dFdx(own), own_upwards = dFdy(own);
    vec3 flat_normal = normalize(cross(across, upwards));
    flat_normal *= dot(flat_normal, view) < 0.0 ? -1.0 : 1.0;
    vec3 shape = normalize(facing);
    shape *= dot(shape, flat_normal) < 0.0 ? -1.0 : 1.0;

    // The body's own axes in the world: both see the same step over the picture.
    vec3 own_flat = normalize(cross(own_across, own_upwards));
    vec3 t = normalize(across), own_t = normalize(own_across);
    vec3 n = normalize(cross(across, upwards));
    mat3 own_axes = mat3(own_t, cross(own_flat, own_t), own_flat);
    mat3 turned = mat3(t, cross(n, t), n) * transpose(own_axes);
    own_normal = transpose(turned) * shape;
    wide = abs(own_across) + abs(own_upwards);
    along_view = distance_along_view();
    pixel = along_view * length(ray[2].xyz) * viewport.w / max(dot(shape, view), 0.3);

    material m = MATERIAL();
    vec3 normal = normalize(shape + turned * m.bump);
    // A bump must not turn the surface away from the eye.
    normal = normalize(normal + view * max(0.02 - dot(normal, view), 0.0));

#ifdef SOLID
    float level = -1e9, land = 1.0, sky_open = 1.0;
    vec3 arriving = vec3(1.0);
    float contact = 1.0;
#else
    vec2 on_map = map_place(clamp(place.xy, vec2(0.0), grid.xy * grid.z));
    vec4 relief = textureLod(relief_map, on_map, 0.0);
    float floor_here = smooth_fetch(height_map, place.xy).r, above = place.z - floor_here;
    float level = water_level(place.xy + shape.xy * 0.75 * grid.z);
    float size = min(box.x, max(box.y, box.z));
    float land = sunshine(relief.w, above);
    // Close to the ground a body sees itself instead of the sky and of sunny ground.
    float contact = smoothstep(0.0, 1.0, above / size);
    float sky_open = mix(relief.z, 1.0, smoothstep(0.0, 1.0, above * grid.w * 0.25));
    float below = max(level - place.z, 0.0);
    vec3 arriving = exp(-liquid_fade.rgb * below);
    // Wet up to a little above the water, unevenly.
    float reach = min(0.35 * size, 0.12) * (0.35 + 1.3 * slow_noise(own.xy / size + own.z).b);
    float damp = 1.0 - smoothstep(0.6 * reach, reach, place.z - level);
    m.reflectance *= mix(1.0, 0.55, damp * (1.0 - m.metal));
    m.gloss = mix(m.gloss, 1.0, 0.7 * damp);
    m.rough = mix(m.rough, min(m.rough, 0.15), 0.8 * damp);
    if (below > 0.0)
        m.gloss = 0.0; // what is under water mirrors water
#endif

    float facing_sun = dot(normal, sun.xyz), shape_sun = dot(shape, sun.xyz);
    float falls = max(facing_sun, 0.0) * smoothstep(-0.05, 0.1, shape_sun);
    float behind = max(-shape_sun, 0.0) * m.through;
    float arrives = falls + behind > 0.0
                        ? land * sun_arrives(place, shape_sun < 0.0 ? -shape : shape)
                        : 0.0;
    float lit = falls * arrives;
    float up = 0.5 + 0.5 * normal.z;
    vec3 around = 0.3 * (sunlight.rgb * max(sun.z, 0.0) + skylight.rgb);
    vec3 ambient = skylight.rgb * (up * sky_open * mix(0.7, 1.0, contact)) +
                   around * ((1.0 - up) * mix(0.25, 1.0, contact));
    vec3 through = sunlight.rgb * arrives * behind + skylight.rgb * 0.25 * m.through;
    vec3 light = (sunlight.rgb * lit * mix(0.6, 1.0, m.open) + ambient * m.open) * arriving;
    vec3 shade = m.reflectance * (1.0 - m.metal) * light + m.reflectance * through * arriving;

    float cosine = max(dot(normal, view), 0.0), grazing = pow(1.0 - cosine, 5.0);
    vec3 mirrored = reflect(-view, normal);
    vec3 upper = normalize(vec3(mirrored.xy, max(mirrored.z, 0.02)));
    vec3 mirror = mix(vec3(0.04 + 0.6 * grazing * (1.0 - m.rough)) * m.gloss,
                      mix(m.reflectance * 2.0, vec3(1.0), grazing), m.metal);
#ifdef STUDIO
    vec3 shine = environment(upper, 2.0 * m.rough);
#else
    vec3 shine = mix(around * 0.6, clear_sky(upper), smoothstep(-0.15, 0.2, mirrored.z)) *
                 mix(0.5, 1.0, contact) * sky_open;
#endif
    vec3 middle = normalize(view + sun.xyz);
    float c = max(dot(normal, middle), 1e-3), variance = m.rough * m.rough + 0.002;
    float facets = exp((c * c - 1.0) / (c * c * variance)) / (pi * variance * c * c * c * c);
    shine += min(facets * 0.25, 30.0) * pi * sunlight.rgb * lit;
    shade += shine * mirror * m.open * arriving;
    colour = vec4(through_haze(shade, -view, distance), sky_open);
}
