import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readForm } from '../../../../src-core/features/vision/readForm.ts';

const esp32 = 'multipart/form-data; boundary=----ESP32_CAMERA_BOUNDARY';
const picture = Buffer.from([0xff, 0xd8, 0xff, 0x0d, 0x0a, 0x2d, 0x2d, 0x00, 0x0d, 0x0a]);
const form = (text: string, boundary = '----ESP32_CAMERA_BOUNDARY') =>
  Buffer.concat(
    text
      .replaceAll('\n', '\r\n')
      .replaceAll('BOUNDARY', boundary)
      .split('PICTURE')
      .flatMap((piece, index) => [...(index === 0 ? [] : [picture]), Buffer.from(piece)]),
  );
const asBoard = `--BOUNDARY
Content-Disposition: form-data; name="question"

这是什么？
--BOUNDARY
Content-Disposition: form-data; name="file"; filename="camera.jpg"
Content-Type: image/jpeg

PICTURE
--BOUNDARY--
`;
const expected = new Map([
  ['question', { data: Buffer.from('这是什么？') }],
  ['file', { data: picture, fileName: 'camera.jpg' }],
]);

describe('a form', () => {
  test.each<[string, string, string]>([
    ['as a board posts it', asBoard, esp32],
    ['without the last line end', asBoard.trimEnd(), esp32],
    ['with more behind it', `${asBoard}\nand more\n--BOUNDARY\n`, esp32],
    ['with words before it', `For old mailers.\n${asBoard}`, esp32],
    ['with blanks behind a boundary', asBoard.replace('--BOUNDARY\n', '--BOUNDARY  \n'), esp32],
    [
      'as aiohttp writes its headers',
      asBoard.replace('; name="file"', ';name=file').replace('Content-D', 'CONTENT-D'),
      esp32,
    ],
    [
      'with other headers and parameters',
      asBoard,
      'multipart/form-data; charset=utf-8; boundary="----ESP32_CAMERA_BOUNDARY"; x=1',
    ],
  ])('%s is read', (_what, text, contentType) => {
    expect(readForm(form(text), contentType)).toEqual(expected);
  });

  test('keeps the first of a name, and what is empty', () => {
    const text = `--BOUNDARY
Content-Disposition: form-data; name="a"


--BOUNDARY
Content-Disposition: form-data; name="a"

second
--BOUNDARY
Content-Disposition: form-data; name="__proto__"

x
--BOUNDARY
Content-Type: text/plain

without a name
--BOUNDARY--`;
    const read = readForm(form(text, 'b'), 'multipart/form-data; boundary=b');
    expect(read).toEqual(
      new Map([
        ['a', { data: Buffer.from('') }],
        ['__proto__', { data: Buffer.from('x') }],
      ]),
    );
  });

  test('without parts is empty', () => {
    expect(readForm(form('--BOUNDARY--'), esp32)).toEqual(new Map());
  });
});

describe('names the reason for an invalid form', () => {
  test.each<[string, Buffer, string | undefined, string]>([
    ['no Content-Type', form(asBoard), undefined, 'Content-Type'],
    ['another type', form(asBoard), 'application/json', 'Content-Type'],
    ['no boundary', form(asBoard), 'multipart/form-data', 'Content-Type'],
    ['an empty boundary', form(asBoard), 'multipart/form-data; boundary=', 'Content-Type'],
    ['another boundary', form(asBoard), 'multipart/form-data; boundary=other', 'does not begin'],
    ['nothing', Buffer.alloc(0), esp32, 'does not begin'],
    ['an end half-way', form(asBoard).subarray(0, -40), esp32, 'before its last boundary'],
    [
      'headers without an end',
      form('--BOUNDARY\nContent-Disposition: form-data; name="a"\n--BOUNDARY--'),
      esp32,
      'headers',
    ],
    ['headers of a megabyte', form(`--BOUNDARY\nX: ${'x'.repeat(1_000_000)}\n\na\n--BOUNDARY--`), esp32, 'headers'],
    ['a thousand parts', form(`${'--BOUNDARY\nX: y\n\na\n'.repeat(1_000)}--BOUNDARY--`), esp32, 'more than 16 parts'],
  ])('%s', (_what, body, contentType, reason) => {
    expect(readForm(body, contentType)).toContain(reason);
  });
});

test('no body and no Content-Type throws', () => {
  const piece = fc.constantFrom(
    '\r\n',
    '--b',
    '--',
    'name="a"',
    'Content-Disposition: form-data;',
    '"',
    ' ',
    'x',
    '\u0000',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 60 }),
      fc.array(fc.constantFrom('multipart/form-data', ';', 'boundary=', 'b', '"', ' ')),
      (body, type) => {
        readForm(Buffer.from(body.join('')), 'multipart/form-data; boundary=b');
        readForm(Buffer.from(body.join('')), type.join(''));
      },
    ),
  );
});
