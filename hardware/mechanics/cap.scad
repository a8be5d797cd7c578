// A cap for one end of a glass (-D kind="magnet" | "tilt" | "radio"). Seven glasses need two each; both ends of a
// glass must have the same outer diameter. z = 0 is the face the glass stands on. Printed on that face.
include <params.scad>

kind = "magnet";

module cap(kind) {
    chamber = kind == "tilt" ? 13 : kind == "radio" ? 10 : 0;
    chamber_diameter = kind == "radio" ? min(21, glass_base_diameter - 2) : glass_base_diameter - 4;
    floor = cap_skin + magnet_thickness;
    height = floor + chamber + glass_base_height;
    inner = glass_base_diameter + cap_clearance;
    difference() {
        cylinder(d = cap_diameter, h = height);
        // The magnet is glued in from inside; the skin below it is all that lies between it and the seat.
        translate([0, 0, cap_skin]) cylinder(d = magnet_diameter + 0.2, h = magnet_thickness + 0.1);
        // The glass's end plate.
        translate([0, 0, floor + chamber]) cylinder(d = inner, h = glass_base_height + 1);
        if (kind != "magnet") {
            translate([0, 0, floor]) cylinder(d = chamber_diameter, h = chamber + 0.1);
            // Tilt: the tether's outlet. Radio: the slot to change the cell.
            if (kind == "tilt") translate([0, -1, floor + chamber - 3]) cube([cap_diameter, 2, 2]);
            if (kind == "radio") translate([0, -8, floor + 0.8]) cube([cap_diameter, 16, 3.6]);
        }
        // A coin's edge lifts the cap off again.
        for (a = [0, 180]) rotate(a + 90) translate([cap_diameter / 2, 0, height]) rotate([0, 90, 0]) cylinder(d = 3, h = 3, center = true);
    }
    // The ball switch stands upright beside the magnet: balls on its leads when this end is down.
    if (kind == "tilt") translate([chamber_diameter / 2 - 4.2, 0, floor - 0.01]) difference() {
        cylinder(d = 7.4, h = 8);
        translate([0, 0, -1]) cylinder(d = 5.6, h = 10);
        translate([0, -1, 3]) cube([10, 2, 10]);
    }
}

cap(kind);
