// What stands on the sensor plate inside a tube and holds the sensor under the seat (-D rings=N -D kind="reed").
// z = 0 is the sensor plate's upper face. A peg below goes through the plate; wires leave through it.
// Printed upside down on its head, without supports. kind="reed wires" and "hall wires" are no parts to print: they are
// the sensor with its leads, joints and sleeves, for the check that all of it has room.
include <params.scad>

rings = 1;
kind = "reed";
lead = 0.8;      // a reed's lead or a thin wire
joint = 1.8;     // a soldered leg of a TO-92 in its sleeve
joint_pitch = 2;
foot = 2.4;      // height of the way from the outer groove to the peg

function stilt_height(rings) =
    rings * ring_thickness + tube_rim - tube_seat_depth - tube_floor - stilt_air + board_plate + board_spacing;

module stilt(rings, kind) {
    height = stilt_height(rings);
    below = board_sensor_plate + 1;
    difference() {
        union() {
            cylinder(d = stilt_diameter, h = height);
            translate([0, 0, -board_sensor_plate]) cylinder(d = peg_diameter, h = board_sensor_plate + 1);
        }
        if (kind == "reed") {
            // The reed stands on the axis: then neither pole nor the glass's angle matters.
            translate([0, 0, -below]) cylinder(d = reed_body_diameter + 0.4, h = height + below + 1);
            // Its upper lead leaves the glass straight, bends no nearer than reed_recess to it, and runs down outside.
            translate([0, -0.7, height - reed_recess]) cube([stilt_diameter, 1.4, reed_recess + 1]);
            translate([stilt_diameter / 2 - 1.4, -0.7, 0]) cube([2, 1.4, height + 1]);
            // At the foot it turns inwards, to the peg's own groove: the plate's hole is no wider than the peg.
            translate([peg_diameter / 2 - 1.6, -0.7, -below]) cube([stilt_diameter, 1.4, below + foot]);
        } else {
            // A TO-92 lies face up in the top; its three leads bend down, spread, and have room for sleeved joints.
            translate([-2.35, -1.7, height - 1.6]) cube([4.7, 3.4, 2]);
            translate([-3.1, 1.2, -below]) cube([6.2, 2.4, height + below + 1]);
        }
    }
}

module reed_wires(rings) {
    height = stilt_height(rings);
    glass_end = height - reed_recess;
    bend = glass_end + 3;
    outside = stilt_diameter / 2 - 0.7;
    translate([0, 0, glass_end - reed_body_length]) cylinder(d = reed_body_diameter, h = reed_body_length);
    translate([0, 0, -6]) cylinder(d = lead, h = height - reed_recess + 6);
    translate([0, 0, glass_end]) cylinder(d = lead, h = 3);
    translate([0, -lead / 2, bend - lead / 2]) cube([outside + lead / 2, lead, lead]);
    translate([outside - lead / 2, -lead / 2, 1]) cube([lead, lead, bend - 1]);
    translate([peg_diameter / 2 - 1.2, -lead / 2, 1]) cube([outside + lead / 2 - peg_diameter / 2 + 1.2, lead, lead]);
    translate([peg_diameter / 2 - 1.2, -lead / 2, -6]) cube([lead, lead, 7.5]);
}

module hall_wires(rings) {
    height = stilt_height(rings);
    translate([-2.25, -1.6, height - 1.55]) cube([4.5, 3.2, 1.5]);
    for (i = [-1, 0, 1]) translate([i * joint_pitch, 2.4, -6]) cylinder(d = joint, h = height + 4.4, $fn = 32);
}

if (kind == "reed wires") reed_wires(rings);
else if (kind == "hall wires") hall_wires(rings);
else stilt(rings, kind);
