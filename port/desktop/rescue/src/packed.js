// Bytes as text: two of 91 letters are 13 bits. Shorter than base64, and without letters that mean something in HTML.
const LETTERS = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter((c) => !"&<>".includes(c));
const BITS = 13;

export function packed(bytes) {
  let text = "";
  let bits = 0;
  let count = 0;
  const put = () => {
    const value = bits & ((1 << BITS) - 1);
    text += LETTERS[value % LETTERS.length] + LETTERS[Math.floor(value / LETTERS.length)];
    bits >>>= BITS;
    count -= BITS;
  };
  for (const byte of bytes) {
    bits |= byte << count;
    count += 8;
    if (count >= BITS) put();
  }
  if (count > 0) put();
  return text;
}

// The bytes, and up to one more of zeros.
export function unpacked(text) {
  const values = new Map(LETTERS.map((letter, value) => [letter.charCodeAt(0), value]));
  const bytes = new Uint8Array(Math.floor(((text.length / 2) * BITS) / 8));
  let bits = 0;
  let count = 0;
  let at = 0;
  for (let i = 0; i < text.length; i += 2) {
    bits |= (values.get(text.charCodeAt(i)) + values.get(text.charCodeAt(i + 1)) * LETTERS.length) << count;
    for (count += BITS; count >= 8; count -= 8) {
      bytes[at++] = bits & 255;
      bits >>>= 8;
    }
  }
  return bytes;
}
