// Boots a firmware on an emulated RP2040 with a card on SPI 0, selected by GPIO 17, and prints what it says and what the card saw.
//   node run_board.mjs FIRMWARE.bin CARD.img JSON
// JSON: {rp2040js, bootrom: paths; settings: [words]; cutAt, rejectAt: see sd_card.mjs; cutAfter: a line that the power fails after}
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { PowerCut, SdCard } from './sd_card.mjs';

const [firmware, image, json] = process.argv.slice(2);
const options = JSON.parse(json);
const { RP2040, ConsoleLogger, LogLevel } = await import(pathToFileURL(options.rp2040js));
const kSettingsInFlash = 0x1ff000;
const kNsPerCycle = 8;
const kMostInstructions = 2e9;

const board = new RP2040();
board.logger = new ConsoleLogger(LogLevel.Error, true);
const words = fs.readFileSync(options.bootrom, 'utf8').match(/0x[0-9a-f]{8}/g).map(Number);
board.loadBootrom(new Uint32Array(words));
board.flash.set(fs.readFileSync(firmware), 0);
options.settings.forEach((word, i) => board.flashView.setUint32(kSettingsInFlash + 4 * i, word, true));

const { clock, core } = board;
const card = new SdCard(image, () => clock.nanos, options);
const spi = board.spi[0];
// Answered when the byte is through, as the FIFOs expect.
let sent = 0;
const through = clock.createAlarm(() => spi.completeTransmit(card.exchange(sent)));
spi.onTransmit = (value) => {
  sent = value & 0xff;
  through.schedule(8e9 / (spi.clockFrequency || 1e6));
};
board.gpio[17].addListener((state) => card.select(state === 0));

const lines = [];
let line = '';
let why = '';
board.uart[0].onByte = (byte) => {
  if (byte !== 10) {
    line += byte === 13 ? '' : String.fromCharCode(byte);
    return;
  }
  lines.push(line);
  if (line.startsWith('ended ')) why = 'ended';
  if (line === options.cutAfter) why = 'cut';
  line = '';
};
board.onBreak = () => { why = 'breakpoint'; };
core.PC = 0x10000000;
try {
  for (let instructions = 0; why === ''; ++instructions) {
    if (core.waiting) {
      clock.tick(clock.nanosToNextAlarm);
    } else {
      clock.tick(core.executeInstruction() * kNsPerCycle);
    }
    if (instructions === kMostInstructions) why = 'too long';
  }
} catch (error) {
  if (!(error instanceof PowerCut)) throw error;
  why = 'cut';
}
if (why === 'cut') card.cut(); else card.close();
console.log(JSON.stringify({ why, lines, written: card.written, violations: card.violations, ms: Math.round(clock.nanos / 1e6) }));
