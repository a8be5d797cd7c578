// One socket cut open, piece by piece, for the picture (-D what="..." -D rings=N -D cut=true): a glass standing in its tube, the
// magnet above the sensor, both plates. Uses the very modules that are printed.
include <params.scad>
use <tube.scad>
use <stilt.scad>
use <cap.scad>

what = "tube";
rings = 2;
cut = true;
$fn = 64;
seat = rings * ring_thickness + tube_rim - tube_seat_depth;
sensor_top = -board_plate - board_spacing;
stilt_top = seat - tube_floor - stilt_air;

module plates() {
    difference() {
        translate([-34, -34, -board_plate]) cube([68, 68, board_plate]);
        translate([0, 0, -board_plate - 1]) cylinder(d = tube_outer + 0.2, h = board_plate + 2);
    }
    difference() {
        translate([-34, -34, sensor_top - board_sensor_plate]) cube([68, 68, board_sensor_plate]);
        translate([0, 0, sensor_top - board_sensor_plate - 1]) cylinder(d = 8.1, h = board_sensor_plate + 2);
    }
}

module glass() {
    // Shape only: two end plates and two bulbs.
    plate = glass_base_height;
    base = seat + cap_skin + magnet_thickness;
    for (z = [0, glass_height - plate]) translate([0, 0, base + z]) cylinder(d = glass_base_diameter, h = plate);
    translate([0, 0, base]) rotate_extrude() polygon([
        [0, 1], [8, plate - 1], [9.5, plate + 6], [8, glass_height / 2 - 8], [1.6, glass_height / 2],
        [8, glass_height / 2 + 8], [9.5, glass_height - plate - 6], [8, glass_height - plate + 1], [0, glass_height - 1]
    ]);
}

module caps() {
    translate([0, 0, seat]) cap("magnet");
    translate([0, 0, seat + glass_height + 2 * (cap_skin + magnet_thickness)]) mirror([0, 0, 1]) cap("magnet");
}

module magnets(end) {
    z = end == "low" ? seat + cap_skin : seat + cap_skin + magnet_thickness + glass_height;
    translate([0, 0, z]) cylinder(d = magnet_diameter, h = magnet_thickness);
}

module lying_rings() {
    for (i = [0:rings - 1]) translate([0, 0, i * ring_thickness + 0.1]) difference() {
        cylinder(d = ring_outer_diameter, h = ring_thickness - 0.2);
        translate([0, 0, -1]) cylinder(d = ring_inner_diameter, h = ring_thickness + 2);
    }
}

module reed() {
    translate([0, 0, stilt_top - reed_recess - reed_body_length]) cylinder(d = reed_body_diameter, h = reed_body_length);
    translate([0, 0, sensor_top - 8]) cylinder(d = 0.6, h = stilt_top - 0.5 - sensor_top + 8, $fn = 12);
}

module piece() {
    if (what == "tube") tube(rings);
    if (what == "stilt") translate([0, 0, sensor_top]) stilt(rings, "reed");
    if (what == "caps") caps();
    if (what == "low magnet") magnets("low");
    if (what == "high magnet") magnets("high");
    if (what == "plates") plates();
    if (what == "rings") lying_rings();
    if (what == "glass") glass();
    if (what == "reed") reed();
}

// The glass, the magnets and the reed stay whole: they lie on the axis and read better so.
if (!cut || what == "glass" || what == "reed" || what == "low magnet" || what == "high magnet") piece();
else difference() { piece(); translate([-100, -100, -100]) cube([200, 100, 300]); }
