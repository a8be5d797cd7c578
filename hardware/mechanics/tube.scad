// A socket's tube for 1 to 4 rings (-D rings=N). Pushed up through the top plate from below; the flange holds it.
// z = 0 is the top plate's upper face. Printed on its flange, without supports: the seat's floor is one small bridge.
include <params.scad>

rings = 1;

module tube(rings) {
    rim = rings * ring_thickness + tube_rim;
    seat = rim - tube_seat_depth;
    foot = -board_plate - tube_flange;
    difference() {
        union() {
            translate([0, 0, foot]) cylinder(d = tube_outer, h = rim - foot);
            translate([0, 0, foot]) cylinder(d = flange_diameter, h = tube_flange);
        }
        // Bore for the glass, with a lead-in of 1 mm.
        translate([0, 0, seat]) cylinder(d = tube_bore, h = rim - seat + 1);
        translate([0, 0, rim - 1]) cylinder(d1 = tube_bore, d2 = tube_bore + 1.6, h = 1.01);
        // Below the seat's floor: room for the stilt that carries the sensor.
        translate([0, 0, foot - 1]) cylinder(d = stilt_diameter + 0.6, h = seat - tube_floor - foot + 1);
        // A notch in the flange shows where the lamps are, so that all tubes look the same way.
        rotate(lamp_angle) translate([flange_diameter / 2, 0, foot - 1]) cylinder(d = 2, h = tube_flange + 2);
    }
}

tube(rings);
