// The timer's cradle (-D part="stand" | "yoke"). The 15-second glass never leaves the table, so its ball switch may be
// wired: the glass turns in a yoke between two posts, half a turn and no more, and the wire never winds up.
// Stand: z = 0 is the table. Yoke: z = 0 is its axle; printed lying on its back.
include <params.scad>

part = "stand";
span = cap_diameter + 14;              // clear width between the posts
axle = 5;
rise = glass_height / 2 + cap_skin + magnet_thickness + 10;
arm = 5;

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
        }
        for (s = [-1, 1]) translate([s * (span / 2 + 4), 0, rise]) rotate([0, 90, 0]) cylinder(d = axle + 0.4, h = 20, center = true);
        // Slots from above: the yoke is laid in.
        for (s = [-1, 1]) translate([s * (span / 2 + 4) - 5, -axle / 2 + 0.1, rise]) cube([10, axle - 0.2, 20]);
        for (x = [-1, 1], y = [-1, 1]) translate([x * span / 2, y * 26, -1]) cylinder(d = 3.4, h = 6, $fn = 16);
    }
}

module yoke() {
    half = glass_height / 2;
    inner = cap_diameter + 0.6;
    difference() {
        union() {
            for (s = [-1, 1]) {
                translate([s * (inner / 2 + arm / 2) - arm / 2, -4, -half - 3]) cube([arm, 8, 2 * half + 6]);
                translate([s * (inner / 2 + arm / 2 + 5.5), 0, 0]) rotate([0, 90, 0]) cylinder(d = axle, h = 14, center = true);
                // End cups, open in front: the glass slides in and a rubber band holds it.
                translate([0, 0, s * (half - 1) - 4]) cylinder(d = inner + 2 * arm, h = 8);
            }
            translate([-inner / 2 - arm - 2, -1.5, 7.5]) cube([4, 3, 4]);
            // Pocket for the ball switch, along the axis of the glass.
            translate([inner / 2 - 0.2 + arm - 1, 0, -22]) cylinder(d = 8, h = 14);
        }
        translate([0, 0, -half]) cylinder(d = inner, h = 2 * half);
        translate([-inner / 2, -inner, -half]) cube([inner, inner, 2 * half]);
        translate([inner / 2 - 0.2 + arm - 1, 0, -20.5]) cylinder(d = 5.6, h = 14);
        for (s = [-1, 1]) translate([0, 0, s * half]) cylinder(d = inner - 8, h = 12, center = true);
    }
}

if (part == "stand") stand(); else yoke();
