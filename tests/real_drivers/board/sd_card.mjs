// An SD card on SPI, a byte at a time: blocks with their CRCs, busy after each write, and a supply that fails.
import fs from 'node:fs';

const kBlock = 512;
const kBusyNs = 2e6;  // after a single block, and after Stop Tran
const kBusyInStreamNs = 30e3;  // after a block of several

export class PowerCut extends Error {}

function crc7(bytes) {
  let crc = 0;
  for (const byte of bytes) {
    for (let bit = 0x80; bit !== 0; bit >>= 1) {
      const feedback = ((crc >> 6) & 1) ^ (byte & bit ? 1 : 0);
      crc = ((crc << 1) & 0x7f) ^ (feedback ? 0x09 : 0);
    }
  }
  return crc;
}

const kCrc16 = Array.from({ length: 256 }, (_, i) => {
  let crc = i << 8;
  for (let bit = 0; bit < 8; ++bit) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  return crc;
});
const crc16 = (bytes) => bytes.reduce((crc, byte) => kCrc16[(crc >> 8) ^ byte] ^ ((crc << 8) & 0xffff), 0);

export class SdCard {
  // `cutAt`: the power fails at that block, counted from 1, which does not arrive. `rejectAt`: that one is answered with a
  // wrong CRC, and nothing more is said of it.
  constructor(path, now, { cutAt = 0, rejectAt = 0 } = {}) {
    this.file = fs.openSync(path, 'r+');
    this.blocks = fs.fstatSync(this.file).size / kBlock;
    this.now = now;
    this.cutAt = cutAt;
    this.rejectAt = rejectAt;
    this.written = [];  // where each block was to go
    this.violations = [];
    this.selected = false;
    this.command = [];
    this.answer = [];
    this.block = null;  // what is being received
    this.address = 0;
    this.mode = 'idle';  // write, stream: a token is next; read: blocks follow
    this.isApp = false;
    this.isIdle = true;
    this.checksCrc = false;
    this.busyUntil = 0;
    this.programming = null;  // lost with the power as long as the card is busy
  }

  close() {
    this.settle();
    fs.closeSync(this.file);
  }

  // The power fails now.
  cut() {
    if (this.isBusy()) this.programming = null;
    this.close();
  }

  isBusy() { return this.now() < this.busyUntil; }

  settle() {
    if (this.programming !== null) fs.writeSync(this.file, this.programming.data, 0, kBlock, this.programming.at * kBlock);
    this.programming = null;
  }

  select(selected) {
    this.selected = selected;
    if (!selected) this.command = [];
    if (!selected) this.answer = [];
  }

  // The byte that the card sends while it gets `byte`.
  exchange(byte) {
    if (!this.selected) return 0xff;
    if (this.block !== null) return this.receive(byte);
    if (this.isBusy()) return 0x00;
    const answer = this.answer.length !== 0 ? this.answer.shift() : 0xff;
    this.take(byte);
    if (this.mode === 'read' && this.answer.length === 0) this.sendBlock();
    return answer;
  }

  take(byte) {
    if (this.command.length === 0) {
      if ((this.mode === 'write' && byte === 0xfe) || (this.mode === 'stream' && byte === 0xfc)) this.block = [];
      if (this.mode === 'stream' && byte === 0xfd) this.stop();
      if ((byte & 0xc0) !== 0x40 || this.block !== null) return;
    }
    this.command.push(byte);
    if (this.command.length < 6) return;
    const [first, ...rest] = this.command;
    this.command = [];
    if (this.checksCrc && ((crc7([first, ...rest.slice(0, 4)]) << 1) | 1) !== rest[4]) this.violations.push(`CRC of command ${first & 63}`);
    this.obey(first & 63, ((rest[0] << 24) | (rest[1] << 16) | (rest[2] << 8) | rest[3]) >>> 0);
  }

  // One fill byte, then R1 and what follows it.
  reply(...bytes) { this.answer = [0xff, this.isIdle ? 1 : 0, ...bytes]; }

  stop() {
    this.mode = 'idle';
    this.busyUntil = this.now() + kBusyNs;
  }

  obey(command, argument) {
    const isApp = this.isApp;
    this.isApp = false;
    if (this.mode === 'read' && command !== 12 && command !== 0) this.violations.push(`command ${command} in a read`);
    if (this.mode === 'stream') this.violations.push(`command ${command} in a write`);
    switch (command) {
      case 0:
        this.isIdle = true;
        this.mode = 'idle';
        return this.reply();
      case 8: return this.reply(0, 0, 1, argument & 0xff);
      case 9: return this.replyBlock(this.csd());
      case 10: return this.replyBlock(new Array(15).fill(1).concat(1));
      case 12:
        this.mode = 'idle';
        this.answer = [0xff, 0xff, 0];
        return undefined;
      case 13: return this.reply(0);
      case 16: return this.reply();
      case 17:
      case 18:
        this.reply();
        this.mode = 'read';
        this.address = argument;
        this.isSingle = command === 17;
        return this.sendBlock();
      case 24:
      case 25:
        this.mode = command === 24 ? 'write' : 'stream';
        this.address = argument;
        return this.reply();
      case 23: return this.reply();
      case 41:
        this.isIdle = false;
        return this.reply();
      case 55:
        this.isApp = true;
        return this.reply();
      case 58: return this.reply(0xc0, 0xff, 0x80, 0x00);
      case 59:
        this.checksCrc = (argument & 1) !== 0;
        return this.reply();
      default:
        this.violations.push(`${isApp ? 'ACMD' : 'CMD'}${command}`);
        this.answer = [0xff, 4];
        return undefined;
    }
  }

  // Returns the register of a card of high capacity.
  csd() {
    const size = this.blocks / 1024 - 1;
    const csd = [0x40, 0x0e, 0x00, 0x32, 0x5b, 0x59, 0x00, (size >> 16) & 0x3f, (size >> 8) & 0xff, size & 0xff, 0x7f, 0x80, 0x0a, 0x40, 0x00];
    return [...csd, (crc7(csd) << 1) | 1];
  }

  replyBlock(data) {
    const crc = crc16(data);
    this.reply(0xff, 0xfe, ...data, crc >> 8, crc & 0xff);
  }

  sendBlock() {
    if (this.address >= this.blocks) this.violations.push(`read of block ${this.address}`);
    this.settle();
    const data = Buffer.alloc(kBlock);
    fs.readSync(this.file, data, 0, kBlock, this.address++ * kBlock);
    const crc = crc16(data);
    this.answer.push(0xff, 0xfe, ...data, crc >> 8, crc & 0xff);
    if (this.isSingle) this.mode = 'idle';
  }

  receive(byte) {
    if (this.block.length < kBlock + 2) {
      this.block.push(byte);
      return 0xff;
    }
    const data = Buffer.from(this.block.slice(0, kBlock));
    const crc = (this.block[kBlock] << 8) | this.block[kBlock + 1];
    this.block = null;
    this.written.push(this.address);
    const number = this.written.length;
    if (this.checksCrc && crc !== crc16(data)) this.violations.push(`CRC of block ${number}`);
    if (number === this.cutAt) throw new PowerCut();
    this.settle();
    const isStream = this.mode === 'stream';
    this.busyUntil = this.now() + (isStream ? kBusyInStreamNs : kBusyNs);
    if (!isStream) this.mode = 'idle';
    if (number === this.rejectAt) return 0x0b;
    this.programming = { at: this.address++, data };
    return 0x05;
  }
}
