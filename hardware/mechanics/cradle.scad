// The timer's cradle (-D part="stand" | "yoke"). The 15-second glass never leaves the table, so its ball switch may be
// wired: the glass turns in a yoke between two posts, half a turn and no more, and the wire never winds up. Two M3 screws
// are the axle: they turn in the posts and bite into the yoke's arms.
// Stand: z = 0 is the table; printed on its base. Yoke: z = 0 is its axle; printed lying on its back (y upwards is down).
include <params.scad>

part = "stand";
arm = 5;
inner = glass_base_diameter + 0.6;     // the timer stands in no socket and wears no caps
span = inner + 2 * arm + 7.4;          // clear width between the posts: arms, switch pocket, stop and nub pass
rise = cradle_axle;
back = inner / 2 + arm;                // the yoke's flat back, on which it is printed
screw_turns = 3.4;                     // M3, free
screw_bites = 2.7;                     // M3, cuts its own thread

module stand() {
    difference() {
        union() {
            translate([-span / 2 - 8, -32, 0]) cube([span + 16, 64, 4]);
            for (s = [-1, 1]) translate([s * (span / 2 + 4) - 4, -8, 0]) cube([8, 16, rise + 8]);
            // The stop: the yoke's nub runs in front of it, from above to below and back.
            translate([-span / 2, 0, rise]) rotate([0, 90, 0]) difference() {
                cylinder(r = 13, h = 2.4);
                translate([0, 0, -1]) cylinder(r = 6.5, h = 5);
                translate([-20, -25, -1]) cube([40, 26.6, 5]);
            }
            // It stands on a wall of its own, so that no layer begins in the air.
            translate([-span / 2, 1.6, 0]) cube([2.4, 6.4, rise - 6.5]);
        }
        for (s = [-1, 1]) translate([s * (span / 2 + 4), 0, rise]) rotate([0, 90, 0]) cylinder(d = screw_turns, h = 20, center = true, $fn = 24);
        for (x = [-1, 1], y = [-1, 1]) translate([x * span / 2, y * 26, -1]) cylinder(d = 3.4, h = 6, $fn = 16);
    }
}

module yoke() {
    half = glass_height / 2;
    difference() {
        union() {
            // Arms and end plates reach down to the back.
            for (s = [-1, 1]) translate([s * (inner / 2 + arm / 2) - arm / 2, -4, -half - 3]) cube([arm, back + 4, 2 * half + 6]);
            for (s = [-1, 1]) translate([-inner / 2 - arm, 0, s * (half - 1) - 4]) cube([inner + 2 * arm, back, 8]);
            for (s = [-1, 1]) translate([0, 0, s * (half - 1) - 4]) cylinder(d = inner + 2 * arm, h = 8);
            // The nub, its lower side sloping.
            hull() {
                translate([-inner / 2 - arm - 2, -1.5, 7.5]) cube([0.1, 2.3, 4]);
                translate([-inner / 2 - arm, -1.5, 7.5]) cube([0.5, 4.3, 4]);
            }
            // Pocket for the ball switch, along the axis of the glass.
            translate([inner / 2 + arm - 4, -4, -22]) cube([6.8, back + 4, 14]);
        }
        translate([0, 0, -half]) cylinder(d = inner, h = 2 * half);
        translate([-inner / 2, -inner, -half]) cube([inner, inner, 2 * half]);
        translate([inner / 2 + arm - 1.2, 0, -20.5]) cylinder(d = 5.6, h = 14);
        for (s = [-1, 1]) translate([0, 0, s * half]) cylinder(d = inner - 8, h = 12, center = true);
        for (s = [-1, 1]) translate([s * (inner / 2 + arm / 2), 0, 0]) rotate([0, 90, 0]) cylinder(d = screw_bites, h = arm + 2, center = true, $fn = 24);
    }
}

if (part == "stand") stand(); else yoke();
