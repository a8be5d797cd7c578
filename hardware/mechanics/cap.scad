// A cap for one end of a glass (-D kind="magnet" | "tilt" | "radio" | "lid", which closes a radio cap, "inside": what that holds). Seven glasses need two each; both ends of a
// glass must have the same outer diameter. z = 0 is the face the glass stands on. Printed on that face.
include <params.scad>

kind = "magnet";
radio_chamber = 12;  // for ball switches up to 6 mm tall; 18 for SW-520D (-D radio_chamber=18)
cell_width = 20.4;  // a CR2032 and a little
cell_height = 3.8;

module cap(kind) {
    chamber = kind == "tilt" ? 13 : kind == "radio" ? radio_chamber : 0;
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
            // The cell lies on the floor, 1 mm of plastic above the magnet; it goes in from the side, behind the lid.
            if (kind == "radio") translate([0, -cell_width / 2, floor + 0.8]) cube([cap_diameter, cell_width, cell_height]);
            // The aerial's end of the module looks away from the cell: thin the wall there, and keep metal out.
            if (kind == "radio") intersection() {
                cylinder(d = cap_diameter - 1.2, h = height);
                translate([-cap_diameter / 2, -6.2, floor + 7.5]) cube([cap_diameter / 2, 12.4, chamber - 7.4]);
            }
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

// Slides into the cell's slot and is held by its own spring: no screw, no steel.
module lid() {
    difference() {
        intersection() {
            cylinder(d = cap_diameter, h = cell_height - 0.3);
            translate([cap_diameter / 2 - 3, -cell_width / 2 + 0.15, 0]) cube([3, cell_width - 0.3, cell_height]);
        }
        // A fingernail's notch.
        translate([cap_diameter / 2, 0, (cell_height - 0.3) / 2]) rotate([90, 0, 0]) cylinder(d = 1.6, h = 8, center = true);
    }
}

// What a radio cap holds, to see that it goes in: the cell, the parts on the board's underside, the board, the module.
module inside() {
    floor = cap_skin + magnet_thickness;
    translate([0, 0, floor + 0.9]) cylinder(d = 20, h = 3.2);
    translate([0, 0, floor + 0.8 + cell_height]) cylinder(d = 20.4, h = 2.6 + 1.0);
    translate([-9.9, -6, floor + 0.8 + cell_height + 3.6]) cube([18, 12, 2.4]);
}

if (kind == "lid") lid(); else if (kind == "inside") inside(); else cap(kind);
