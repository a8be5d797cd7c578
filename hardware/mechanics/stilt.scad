// What stands on the sensor plate inside a tube and holds the sensor against the seat (-D rings=N -D kind="reed").
// z = 0 is the sensor plate's upper face. A peg below goes through the plate; wires leave through it.
include <params.scad>

rings = 1;
kind = "reed";

module wire_groove(angle, height) {
    rotate(angle) translate([stilt_diameter / 2 - 0.8, -0.7, -board_sensor_plate - 1]) cube([2, 1.4, height + board_sensor_plate + 2]);
}

module stilt(rings, kind) {
    height = rings * ring_thickness + tube_rim - tube_seat_depth - tube_floor + board_plate + board_spacing;
    difference() {
        union() {
            cylinder(d = stilt_diameter, h = height);
            translate([0, 0, -board_sensor_plate]) cylinder(d = peg_diameter, h = board_sensor_plate + 1);
        }
        if (kind == "reed") {
            // The reed stands on the axis, its upper end at the seat: then neither pole nor the glass's angle matters.
            translate([0, 0, -board_sensor_plate - 1]) cylinder(d = reed_body_diameter + 0.4, h = height + board_sensor_plate + 2);
            // Its upper lead is folded over the top and runs down outside.
            translate([0, -0.7, height - 1]) cube([stilt_diameter, 1.4, 2]);
            wire_groove(0, height);
        } else {
            // A TO-92 lies face up in the top; its three leads bend down into the bore.
            translate([-2.15, -1.6, height - 1.6]) cube([4.3, 3.2, 2]);
            translate([-2.15, 1.5, height - 1.6]) cube([4.3, 1.6, 2]);
            translate([-2.15, 1.9, -board_sensor_plate - 1]) cube([4.3, 1.3, height + board_sensor_plate + 2]);
        }
    }
}

stilt(rings, kind);
