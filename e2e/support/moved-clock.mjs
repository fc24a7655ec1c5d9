// Loaded before the program (NODE_OPTIONS=--import=…): SIGUSR2 moves the clock of the process an hour ahead and, the
// next time, back to an hour behind.
const Real = Date;
const HOUR = 3_600_000;
let moved = 0;

class MovedDate extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + moved);
    else super(...given);
  }

  static now() {
    return Real.now() + moved;
  }
}

globalThis.Date = MovedDate;
process.on('SIGUSR2', () => {
  moved = moved === HOUR ? -HOUR : HOUR;
  process.stderr.write('the clock has moved\n');
});
