// CRC-32 of GZIP and of Parquet's pages. continueCrc(crc, bytes) continues the CRC of what stands before `bytes`; 0 begins.

const tables = makeTables();

// tables[k][byte]: what a byte contributes after k more bytes.
function makeTables() {
  const all = Array.from({ length: 4 }, () => new Int32Array(256));
  for (let byte = 0; byte < 256; ++byte) {
    let crc = byte;
    for (let bit = 0; bit < 8; ++bit) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    all[0][byte] = crc;
  }
  for (let k = 1; k < all.length; ++k) {
    for (let byte = 0; byte < 256; ++byte) {
      const before = all[k - 1][byte];
      all[k][byte] = (before >>> 8) ^ all[0][before & 0xff];
    }
  }
  return all;
}

export function continueCrc(crc, bytes) {
  const [t0, t1, t2, t3] = tables;
  const fours = bytes.length - (bytes.length % 4);
  let c = ~crc;
  let i = 0;
  for (; i < fours; i += 4) {
    c ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    c = t3[c & 0xff] ^ t2[(c >>> 8) & 0xff] ^ t1[(c >>> 16) & 0xff] ^ t0[c >>> 24];
  }
  for (; i < bytes.length; ++i) c = (c >>> 8) ^ t0[(c ^ bytes[i]) & 0xff];
  return ~c >>> 0;
}
