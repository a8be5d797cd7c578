// What players see and press (-D part="panel" | "pod"): the box's front with its lamps, buzzer and the arbiter's
// button, and a pod with one button for each side. z = 0 is the outer face, printed downwards.
include <params.scad>

part = "panel";
width = 150;
depth = 46;
thick = 3;

module panel() {
    difference() {
        union() {
            translate([-width / 2, -depth / 2, 0]) cube([width, depth, thick]);
            // Collar for the buzzer, glued in.
            translate([28, 0, 0]) cylinder(d = panel_buzzer_diameter + 4, h = 10);
        }
        // Lamps from left to right: turn red, turn black, alarm, ready, amber (the bridge board only).
        for (i = [0:4]) translate([-62 + i * 16, 6, -1]) cylinder(d = panel_lamp_diameter, h = thick + 2, $fn = 32);
        // Beside each a mark, so that colour is not all that tells them apart: one dot, two, a bar, a ring, a cross.
        translate([-62, -8, -1]) cylinder(d = 3, h = 1.6, $fn = 16);
        for (side = [-2.5, 2.5]) translate([-46 + side, -8, -1]) cylinder(d = 3, h = 1.6, $fn = 16);
        translate([-35, -9, -1]) cube([10, 2, 1.6]);
        translate([-14, -8, -1]) difference() { cylinder(d = 8, h = 1.6, $fn = 32); cylinder(d = 5, h = 2, $fn = 32); }
        for (turn = [45, -45]) translate([2, -8, -0.2]) rotate(turn) cube([9, 1.6, 1.6], center = true);
        // Buzzer: its body sits in the collar, sound leaves through seven holes.
        translate([28, 0, 1]) cylinder(d = panel_buzzer_diameter, h = 12);
        translate([28, 0, -1]) { cylinder(d = 2, h = 4, $fn = 16); for (a = [0:60:300]) rotate(a) translate([4, 0, 0]) cylinder(d = 2, h = 4, $fn = 16); }
        translate([57, 0, -1]) cylinder(d = panel_button_diameter, h = thick + 2);
        for (x = [-1, 1], y = [-1, 1]) translate([x * (width / 2 - 5), y * (depth / 2 - 5), -1]) cylinder(d = 3.2, h = thick + 2, $fn = 16);
    }
}

module pod() {
    side = panel_button_diameter + 22;
    difference() {
        translate([-side / 2, -side / 2, 0]) cube([side, side, 34]);
        translate([-side / 2 + 2, -side / 2 + 2, thick]) cube([side - 4, side - 4, 34]);
        translate([0, 0, -1]) cylinder(d = panel_button_diameter, h = thick + 2);
        translate([0, side / 2 - 3, 30]) rotate([-90, 0, 0]) cylinder(d = 4, h = 6, $fn = 16);
    }
}

if (part == "panel") panel(); else pod();
