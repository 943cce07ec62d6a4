/**
 * Mail as senders really write it, in the shape in which Gmail hands it over: parsed parts, transfer encodings undone,
 * charsets as declared (J-04). One row a mail: what it is, the resource, what must be read. Called by mail-cases.test.ts.
 */

export type MailCase = readonly [string, object, Readonly<Record<string, unknown>>]

type Headers = Readonly<Record<string, string>>

const RECEIVED = Date.parse('2026-11-20T08:00:00Z')

const headersOf = (headers: Headers): readonly object[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

/** A mail of these headers; `body` is its one part, or the container of them. */
const mail = (headers: Headers, body: object = {}, over: object = {}): object => ({
  id: 'm1',
  internalDate: String(RECEIVED),
  payload: {
    ...body,
    headers: [
      ...headersOf(headers),
      ...('headers' in body && Array.isArray(body.headers) ? body.headers : []),
    ],
  },
  ...over,
})

/** `type` is the whole declaration; a text is written as UTF-8, and bytes stay as they are. */
const part = (type: string, text: string | Buffer, headers: Headers = {}): object => ({
  mimeType: type.split(';')[0],
  filename: '',
  headers: headersOf({ 'Content-Type': type, ...headers }),
  body: { data: (typeof text === 'string' ? Buffer.from(text) : text).toString('base64url') },
})
const plain = (text: string | Buffer, charset = 'utf-8'): object =>
  part(`text/plain; charset=${charset}`, text)
const html = (text: string): object => part('text/html; charset=utf-8', text)
const file = (filename: string, mimeType: string): object => ({
  ...{ mimeType, filename, body: { attachmentId: 'a1', size: 7 } },
  headers: headersOf({ 'Content-Disposition': `attachment; filename="${filename}"` }),
})
const multipart = (kind: string, ...parts: readonly object[]): object => ({
  ...{ mimeType: `multipart/${kind}`, filename: '', body: { size: 0 }, parts },
})
const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const from = (value: string): object => mail({ From: value })
const subject = (value: string): object => mail({ Subject: value })

const FORWARDED = { mimeType: 'message/rfc822', filename: '', body: { size: 0 } }
const INNER = { ...FORWARDED, parts: [multipart('alternative', plain('inner words'), html('<p>inner</p>'))] }

export const MAIL_CASES: readonly MailCase[] = [
  // Charsets
  ['UTF-8', mail({}, plain('Grüße, 日本, 🙂')), { body: 'Grüße, 日本, 🙂' }],
  ['Latin-1', mail({}, plain(latin1('Grüße'), 'ISO-8859-1')), { body: 'Grüße' }],
  ['Latin-9 with a euro', mail({}, plain(bytes('3130a4'), 'iso-8859-15')), { body: '10€' }],
  ['curly quotes of Windows', mail({}, plain(bytes('9368699420'), 'windows-1252')), { body: '“hi”' }],
  ['8-bit under the name of ASCII', mail({}, plain(latin1('café'), 'us-ascii')), { body: 'café' }],
  ['KOI8-R', mail({}, plain(bytes('d0d2c9d7c5d4'), 'koi8-r')), { body: 'привет' }],
  ['Windows Cyrillic', mail({}, plain(bytes('cff0e8e2e5f2'), 'windows-1251')), { body: 'Привет' }],
  ['Shift_JIS', mail({}, plain(bytes('93fa967b'), 'Shift_JIS')), { body: '日本' }],
  ['ISO-2022-JP', mail({}, plain(bytes('1b2442467c4b5c1b2842'), 'iso-2022-jp')), { body: '日本' }],
  ['GB2312', mail({}, plain(bytes('c4e3bac3'), 'gb2312')), { body: '你好' }],
  ['Big5', mail({}, plain(bytes('a741a66e'), 'big5')), { body: '你好' }],
  ['EUC-KR', mail({}, plain(bytes('bec8b3e7'), 'euc-kr')), { body: '안녕' }],
  ['UTF-16 with its mark', mail({}, plain(bytes('fffe68006900'), 'utf-16')), { body: 'hi' }],
  ['a UTF-8 mark at the start', mail({}, plain(bytes('efbbbf6869'))), { body: 'hi' }],
  ['declared Latin-1, already UTF-8', mail({}, plain('Grüße', 'iso-8859-1')), { body: 'Grüße' }],
  ['a charset nobody knows', mail({}, plain('plain words', 'x-unknown-8')), { body: 'plain words' }],
  ['a charset in quotes', mail({}, plain(latin1('é'), '"iso-8859-1"')), { body: 'é' }],
  ['no Content-Type at all', mail({}, { ...plain('bare'), headers: [] }), { body: 'bare' }],
  ['UTF-8 cut in a character', mail({}, plain(bytes('6869e282'), 'utf-8')), { body: 'hi\ufffd' }],
  // Parts
  ['alternative', mail({}, multipart('alternative', plain('plain'), html('<p>rich</p>'))), { body: 'plain' }],
  [
    'alternative, HTML first',
    mail({}, multipart('alternative', html('<p>rich</p>'), plain('plain'))),
    { body: 'plain' },
  ],
  ['HTML only', mail({}, html('<h1>Hi</h1><p>a &amp; b</p>')), { body: 'Hi\n\na & b' }],
  [
    'a plain part left empty',
    mail({}, multipart('alternative', plain(' \r\n'), html('<p>rich</p>'))),
    { body: 'rich' },
  ],
  [
    'mixed, alternative and a file',
    mail(
      {},
      multipart(
        'mixed',
        multipart('alternative', plain('see it'), html('<p>see</p>')),
        file('a.pdf', 'application/pdf'),
      ),
    ),
    { body: 'see it', hasAttachments: true },
  ],
  [
    'related, with a picture inside',
    mail({}, multipart('related', html('<p>logo <img src="cid:1"></p>'), file('image001.png', 'image/png'))),
    { body: 'logo', hasAttachments: true },
  ],
  [
    'a calendar invitation',
    mail(
      {},
      multipart('alternative', plain('Join'), part('text/calendar; method=REQUEST', 'BEGIN:VCALENDAR')),
    ),
    { body: 'Join', hasAttachments: false },
  ],
  [
    'winmail.dat',
    mail({}, multipart('mixed', plain('see it'), file('winmail.dat', 'application/ms-tnef'))),
    { body: 'see it', hasAttachments: true },
  ],
  [
    'signed',
    mail({}, multipart('signed', plain('mine'), file('smime.p7s', 'application/pkcs7-signature'))),
    { body: 'mine' },
  ],
  [
    'encrypted',
    mail(
      {},
      multipart(
        'encrypted',
        part('application/pgp-encrypted', 'Version: 1'),
        file('encrypted.asc', 'application/octet-stream'),
      ),
    ),
    { body: '', hasAttachments: true },
  ],
  [
    'a bounce',
    mail(
      {},
      multipart('report', plain('Not delivered.'), part('message/delivery-status', 'Status: 5.1.1'), INNER),
    ),
    { body: 'Not delivered.' },
  ],
  [
    'a forwarded mail beside words',
    mail({}, multipart('mixed', plain('see below'), INNER)),
    { body: 'see below', hasAttachments: true },
  ],
  [
    'a forwarded mail after HTML',
    mail({}, multipart('mixed', html('<p>outer</p>'), INNER)),
    { body: 'outer' },
  ],
  [
    'a forwarded mail and nothing else',
    mail({}, multipart('mixed', INNER)),
    { body: '', hasAttachments: true },
  ],
  [
    'a text file without a name',
    mail(
      {},
      multipart(
        'mixed',
        part('text/plain', 'a log', { 'Content-Disposition': 'attachment' }),
        html('<p>see the log</p>'),
      ),
    ),
    { body: 'see the log', hasAttachments: true },
  ],
  [
    'a named text file first',
    mail({}, multipart('mixed', { ...plain('a,b'), filename: 'x.csv' }, plain('the table'))),
    { body: 'the table' },
  ],
  [
    'a body kept elsewhere for its size',
    mail({}, { mimeType: 'text/plain', filename: '', body: { attachmentId: 'a', size: 9e6 } }),
    { body: '' },
  ],
  // Damage
  [
    'base64 with foreign characters',
    mail({}, { ...plain(''), body: { data: '*not*base64*' } }),
    { body: '' },
  ],
  [
    'base64 damaged, HTML whole',
    mail({}, multipart('alternative', { ...plain(''), body: { data: '!!!!' } }, html('<p>whole</p>'))),
    { body: 'whole' },
  ],
  [
    'base64 cut short',
    mail({}, { ...plain(''), body: { data: Buffer.from('hello').toString('base64url').slice(0, -2) } }),
    { body: 'hel' },
  ],
  [
    'base64 in lines, padded',
    mail({}, { ...plain(''), body: { data: 'aGVs\r\nbG8=\r\n' } }),
    { body: 'hello' },
  ],
  ['quoted-printable twice over', mail({}, plain('caf=C3=A9 =3D ok')), { body: 'caf=C3=A9 =3D ok' }],
  ['one very long line', mail({}, plain(`start ${'x'.repeat(60_000)}`)), { truncated: true }],
  ['bare carriage returns', mail({}, plain('one\rtwo\r\nthree')), { body: 'one\ntwo\nthree' }],
  ['null bytes', mail({}, plain('a\u0000b')), { body: 'a b' }],
  // Headers
  ['an encoded subject in base64', subject('=?utf-8?B?R3LDvMOfZQ==?='), { subject: 'Grüße' }],
  [
    'an encoded subject in two words',
    subject('=?utf-8?Q?Gr=C3=BC?=\r\n =?utf-8?Q?=C3=9Fe_an_dich?='),
    { subject: 'Grüße an dich' },
  ],
  ['a Japanese subject', subject('=?ISO-2022-JP?B?GyRCRnxLXBsoQg==?= 1'), { subject: '日本 1' }],
  ['a subject of a charset nobody knows', subject('=?x-none?Q?plain?='), { subject: 'plain' }],
  ['an encoded word that never ends', subject('=?utf-8?B?R3L'), { subject: '=?utf-8?B?R3L' }],
  ['raw 8-bit in a subject', subject('Grüße'), { subject: 'Grüße' }],
  ['a language tag in an encoded word', subject('=?utf-8*de?Q?Gr=C3=BC=C3=9Fe?='), { subject: 'Grüße' }],
  ['no subject', mail({}), { subject: '' }],
  [
    'a name in quotes with a comma',
    from('"Lin, Sarah" <sarah@lin.example>'),
    { from: 'sarah@lin.example', fromName: 'Lin, Sarah' },
  ],
  [
    'a forged name that is an address',
    from('"boss@corp.example" <eve@evil.example>'),
    { from: 'eve@evil.example', fromName: 'boss@corp.example' },
  ],
  [
    'an encoded name that hides an address',
    from('=?utf-8?Q?boss=40corp.example_=3Cboss=40corp.example=3E?= <eve@evil.example>'),
    { from: 'eve@evil.example' },
  ],
  [
    'two Froms',
    mail({}, {}, { payload: { headers: headersOf({ From: 'a@one.example', from: 'b@two.example' }) } }),
    { senderUnclear: true, fromName: '' },
  ],
  [
    'no From',
    mail({ 'Return-Path': '<x@bounce.example>', Sender: 'x@bounce.example' }),
    { senderUnclear: true, fromName: '' },
  ],
  ['a bare address', from('sarah@lin.example'), { from: 'sarah@lin.example', fromName: '' }],
  ['groups and undisclosed recipients', mail({ To: 'undisclosed-recipients:;' }), { to: [] }],
  [
    'recipients with commas in names',
    mail({ To: '"Lin, S" <s@lin.example>, b@c.example' }),
    { to: ['s@lin.example', 'b@c.example'] },
  ],
  [
    'a Date of the future, received today',
    mail({ Date: 'Fri, 31 Dec 2099 23:59:00 +0000' }),
    { date: '2026-11-20T08:00:00Z' },
  ],
  [
    'no time of receipt, a Date with a comment',
    mail({ Date: 'Fri, 20 Nov 2026 09:00:00 +0100 (CET)' }, {}, { internalDate: undefined }),
    { date: '2026-11-20T08:00:00Z' },
  ],
  // What it asks and mentions
  [
    'an invoice',
    mail({ Subject: 'Invoice 7' }, plain('Payment due 2026-12-05: https://pay.example/7.')),
    { requests: ['payment'], dates: ['2026-12-05'], links: ['https://pay.example/7'] },
  ],
  [
    'days from the day on which it was sent, and none of a mail that it quotes',
    mail(
      {},
      plain(
        'Your check-up is\nnext week on Tuesday at 08:15.\n\nOn Mon, 2 Nov at 9, Tom wrote:\n> See you on Friday.',
      ),
      { internalDate: String(Date.parse('2026-11-26T10:00:00Z')) },
    ),
    { dates: ['2026-12-01T08:15:00+00:00'] },
  ],
  [
    'a request hidden in HTML only',
    mail({}, html('<p>Please sign by 5 December 2026</p><p style="display:none">please pay</p>')),
    { requests: ['signature'], dates: ['2026-12-05'] },
  ],
]
