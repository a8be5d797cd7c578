// The two plates as solids, for pictures and for those who print or mill them (-D plate="top" | "sensor").
// The 1:1 template for drill and laser is template.svg and template.dxf. z = 0 is the plate's upper face.
include <params.scad>
include <centres.scad>

plate = "top";

module top_plate() {
    difference() {
        translate([0, 0, -board_plate]) linear_extrude(board_plate) polygon(outline);
        translate([0, 0, -board_plate - 1]) linear_extrude(board_plate + 2) {
            for (c = centres) translate(c) circle(d = tube_outer + 0.2);
            for (c = red_lamps) translate(c) circle(d = lamp_diameter, $fn = 16);
            for (c = green_lamps) translate(c) circle(d = lamp_diameter, $fn = 16);
            for (c = pillars) translate(c) circle(d = 3.2, $fn = 16);
        }
    }
}

module sensor_plate() {
    difference() {
        translate([0, 0, -board_sensor_plate]) linear_extrude(board_sensor_plate) polygon(outline);
        translate([0, 0, -board_sensor_plate - 1]) linear_extrude(board_sensor_plate + 2) {
            for (c = centres) translate(c) circle(d = peg_diameter + 0.1, $fn = 24);
            for (c = pillars) translate(c) circle(d = 3.2, $fn = 16);
        }
    }
}

if (plate == "top") top_plate(); else sensor_plate();
