/**
 * Files that go with a mail: those of the owner's folders and those of a mail that is sent on, as a card names them, and byte for byte as they are sent;
 * others than on the card, too many or too large ones, and names that try something.
 */
import { createHash } from 'node:crypto'
import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { fileName } from '../../integrations/tools/email/enclosed.ts'
import type { Letter, Mailbox, MailFile } from '../../integrations/tools/email/mailbox-port.ts'
import { createEmailTool } from '../../integrations/tools/email/run.ts'
import type { FolderPort } from '../../integrations/tools/files/folder-port.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import { ownFilesIn } from '../../sidecar/folders/own-files.ts'
import { composeMail } from '../../sidecar/mail/compose-mail.ts'
import { callTool, outputOf, refusal } from './calls.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const versionOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const TO = { to: ['tom@x.example'], subject: 'x', body: 'y' }

/** Folders with these files by their paths, which may change while a test runs. */
function foldersWith(files: Map<string, Uint8Array>): FolderPort {
  return {
    named: true,
    list: async () =>
      ok({
        files: [...files].map(([path, bytes]) => ({
          ...{ path, size: bytes.length, changed: 0 },
          place: { folder: 0, names: path.split('/').slice(1) },
        })),
        ...{ folders: [], partial: false },
      }),
    read: async ({ names }, most) => {
      const bytes = files.get(`notes/${names.join('/')}`)
      if (bytes === undefined) return err('remote_not_found')
      return bytes.length > most ? err('file_too_large') : ok({ bytes, version: versionOf(bytes) })
    },
    write: async () => err('file_denied'),
    kept: async () => err('file_denied'),
    version: async () => err('file_denied'),
    move: async () => err('file_denied'),
    putAway: async () => err('file_denied'),
    bringBack: async () => err('file_denied'),
  }
}

function mailFile(name: string, bytes: Uint8Array = bytesOf('x'), type = 'application/pdf'): MailFile {
  return { name, type, bytes }
}

/** A tool with this folder and this mail, and what it sent. */
function having(
  given: {
    readonly files?: Map<string, Uint8Array>
    readonly mail?: readonly MailFile[]
    readonly none?: true
  } = {},
) {
  const { files = new Map(), mail = [] } = given
  const letters: Letter[] = []
  const unasked = () => Promise.reject(new Error('not asked for'))
  const mailbox: Mailbox = {
    ...{ folders: unasked, newFolder: unasked, makeFolder: unasked },
    ...{ find: unasked, unread: unasked, mark: unasked, move: unasked, draft: unasked },
    read: async () =>
      ok({
        ...{ id: 'm9', internalDate: '1795600800000' },
        payload: {
          headers: [
            { name: 'From', value: 'Tom <tom@x.example>' },
            { name: 'Subject', value: 'The deal' },
          ],
        },
      }),
    files: async (_id, most, pick) => {
      const picked = pick?.(mail.map(({ name }) => name))
      if (picked?.ok === false) return picked
      const wanted = picked === undefined ? mail : mail.filter((_, at) => picked.value.includes(at))
      return wanted.length > most.count ? err('file_too_large') : ok(wanted)
    },
    send: async (letter) => {
      letters.push(letter)
      return ok({ refused: [], filed: true })
    },
  }
  const account = { address: 'o@x.example', hosts: [], check: unasked, open: () => mailbox }
  const tool = createEmailTool({
    htmlText: async () => '',
    mail: { account, compose: unasked, digest: async (bytes) => versionOf(bytes) },
    ...(given.none !== true && { ownFiles: ownFilesIn(foldersWith(files)) }),
  })
  const call = (action: string, args: { readonly [name: string]: Json }) =>
    callTool(tool, `email.${action}`, args)
  const looked = async (args: { readonly [name: string]: Json }) =>
    outputOf(await call('enclosed', args)) as { files: { file: string }[]; version: string }
  return { letters, call, looked }
}

describe('attachments of another mail', () => {
  const MAIL = [
    mailFile('Offer 2026.pdf', bytesOf('offer')),
    mailFile('photo.jpg', bytesOf('photo'), 'image/jpeg'),
    mailFile('terms.docx', bytesOf('terms')),
  ]

  it.each([
    [['pdf'], ['Offer 2026.pdf']],
    [['PDF'], ['Offer 2026.pdf']],
    [['offer'], ['Offer 2026.pdf']],
    [['terms.docx'], ['terms.docx']],
    [['picture'], ['photo.jpg']],
    [
      ['Offer 2026.pdf', 'terms'],
      ['Offer 2026.pdf', 'terms.docx'],
    ],
    [[], ['Offer 2026.pdf', 'photo.jpg', 'terms.docx']],
  ])('that are called %j are %j, named with size, digest and whose they were', async (files, names) => {
    const { letters, call, looked } = having({ mail: MAIL })
    const args = { filesFrom: 'm9', ...(files.length > 0 && { files }) }
    const found = await looked(args)
    expect(found.files.map(({ file }) => file.replace(/^\d+ bytes, SHA-256 [0-9a-f]{32}: /, ''))).toEqual(
      names,
    )
    expect(found).toMatchObject({ source: 'tom@x.example, 2026-11-25: The deal' })
    expect(await call('send', { ...TO, ...args, version: found.version })).toMatchObject({ ok: true })
    expect(letters[0]?.files?.map(({ name }) => name)).toEqual(names)
  })

  it.each([
    ['nothing_found', ['contract']],
    ['nothing_found', ['pdf', 'contract']],
    ['file_ambiguous', ['invoice']],
  ] as const)('that do not fit are refused: %s', async (code, files) => {
    const mail = [...MAIL, mailFile('invoice 1.pdf'), mailFile('invoice 2.txt')]
    const { letters, call } = having({ mail: files[0] === 'pdf' ? MAIL : mail })
    expect(await call('enclosed', { filesFrom: 'm9', files: [...files] })).toMatchObject(refusal(code))
    expect(await call('send', { ...TO, filesFrom: 'm9', files: [...files] })).toMatchObject(refusal(code))
    expect(letters).toEqual([])
  })

  it('are never looked for in the owner’s folders, and are not sent as others than on the card', async () => {
    const { letters, call, looked } = having({
      mail: MAIL,
      files: new Map([['notes/contract.pdf', bytesOf('x')]]),
    })
    const args = { filesFrom: 'm9', files: ['contract.pdf'] }
    expect(await call('enclosed', args)).toMatchObject(refusal('nothing_found'))
    const { version } = await looked({ filesFrom: 'm9', files: ['terms'] })
    const other = { ...TO, filesFrom: 'm9', files: ['offer'], version }
    expect(await call('send', other)).toMatchObject(refusal('event_changed'))
    expect(letters).toEqual([])
  })
})

describe('files of the owner', () => {
  const pdf = Uint8Array.from([0x25, 0x50, 0x44, 0x46, 0x2d, 0, 13, 10, 13, 0xff, 0x80])

  it('are named with size and digest, and sent as they were named', async () => {
    const { letters, call, looked } = having({ files: new Map([['notes/contract.pdf', pdf]]) })
    const { files, version } = await looked({ files: ['contract.pdf'] })
    expect(files).toEqual([{ file: `11 bytes, SHA-256 ${versionOf(pdf).slice(0, 32)}: notes/contract.pdf` }])
    expect(await call('send', { ...TO, files: ['contract.pdf'], version })).toMatchObject({ ok: true })
    expect(letters[0]?.files).toEqual([{ name: 'contract.pdf', type: null, bytes: pdf }])
  })

  it.each([
    ['another text by now', (files: Map<string, Uint8Array>) => files.set('notes/a.txt', bytesOf('other'))],
    [
      'another file of that name, elsewhere',
      (files: Map<string, Uint8Array>) => {
        files.delete('notes/a.txt')
        files.set('notes/deep/a.txt', bytesOf('one'))
      },
    ],
  ])('are not sent with %s', async (_, change) => {
    const files = new Map([['notes/a.txt', bytesOf('one')]])
    const { letters, call, looked } = having({ files })
    const { version } = await looked({ files: ['a.txt'] })
    change(files)
    expect(await call('send', { ...TO, files: ['a.txt'], version })).toMatchObject(refusal('event_changed'))
    expect(letters).toEqual([])
  })

  it.each([
    ['without a look at them before', { files: ['a.txt'] }],
    ['as others than were looked at', { files: ['b.txt'], version: 'v1' }],
    ['where none was looked at', { version: 'v1' }],
  ])('are not sent %s', async (_, args) => {
    const files = new Map([...'ab'].map((name): [string, Uint8Array] => [`notes/${name}.txt`, bytesOf('x')]))
    const { letters, call } = having({ files })
    expect(await call('send', { ...TO, ...args })).toMatchObject(refusal('event_changed'))
    expect(letters).toEqual([])
  })

  const large = new Uint8Array(5_000_000)
  it.each([
    ['that nobody has', ['none.pdf'], 'remote_not_found'],
    ['that two have', ['two.txt'], 'file_ambiguous'],
    ['that are too large together', ['large-1.bin', 'large-2.bin'], 'file_too_large'],
    ['that are too many', [...Array(11).keys()].map((at) => `n${at}.txt`), 'file_too_large'],
    ['above the folder', ['../../etc/passwd'], 'remote_not_found'],
    ['whose name is not shown as it is', ['odd.txt'], 'tool_arguments_invalid'],
  ])('%s are refused', async (_, names, code) => {
    const files = new Map<string, Uint8Array>([
      ...[...Array(11).keys()].map((at): [string, Uint8Array] => [`notes/n${at}.txt`, bytesOf(String(at))]),
      ...['notes/a/two.txt', 'notes/b/two.txt', 'notes/\ufffd/odd.txt'].map((path): [string, Uint8Array] => [
        path,
        bytesOf('x'),
      ]),
      ...['notes/large-1.bin', 'notes/large-2.bin'].map((path): [string, Uint8Array] => [path, large]),
    ])
    const { letters, call } = having({ files })
    // More than the declaration lets through never comes to the tool.
    const args = { ...TO, files: names, version: 'v1' }
    expect(await call('send', args)).toMatchObject(refusal(code))
    expect(letters).toEqual([])
  })

  it('are asked for at a terminal while no folder is named', async () => {
    const { call } = having({ none: true })
    expect(await call('enclosed', { files: ['a.txt'] })).toMatchObject(refusal('folder_not_named'))
  })

  it('go with an answer, whose own files do not', async () => {
    const { letters, call, looked } = having({
      files: new Map([['notes/a.txt', bytesOf('x')]]),
      mail: [mailFile('theirs.pdf')],
    })
    const { version } = await looked({ files: ['a.txt'] })
    const args = { id: 'm1', to: 'tom@x.example', subject: 'x', body: 'y', files: ['a.txt'], version }
    expect(await call('reply', args)).toMatchObject({ ok: true })
    expect(letters[0]?.files?.map(({ name }) => name)).toEqual(['a.txt'])
  })
})

describe('files of a mail that is sent on', () => {
  const forward = { to: ['tom@x.example'], id: 'm1', subject: 'x', text: 'y' }

  it('go along as they are', async () => {
    const { letters, call, looked } = having({ mail: [mailFile('invoice.pdf', bytesOf('%PDF-1.4'))] })
    const { files, version } = await looked({ id: 'm1' })
    expect(files[0]?.file).toMatch(/^8 bytes, SHA-256 [0-9a-f]{32}: invoice\.pdf$/)
    expect(await call('forward', { ...forward, version })).toMatchObject({ ok: true })
    expect(letters[0]?.files).toMatchObject([{ name: 'invoice.pdf', bytes: bytesOf('%PDF-1.4') }])
  })

  it.each([
    [{ without: ['pictures'] }, ['a.pdf', 'plan.docx']],
    [{ only: ['PDF'] }, ['a.pdf']],
    [{ only: ['pictures'] }, ['beach.jpg', 'dog.PNG']],
    [{ only: ['plan', 'pdf'] }, ['a.pdf', 'plan.docx']],
    [{ only: ['pictures'], without: ['dog'] }, ['beach.jpg']],
    [{ without: ['Bilder', 'plan', 'pdf'] }, []],
  ])('some of the files of a mail that is sent on: %j', async (chosen, names) => {
    const mail = ['beach.jpg', 'a.pdf', 'dog.PNG', 'plan.docx'].map((name) => mailFile(name))
    const { call, letters } = having({ mail })
    const asked = { to: ['tom@x.example'], id: 'm1', subject: 'x', text: 'y', ...chosen }
    const looked = outputOf(await call('enclosed', { id: 'm1', ...chosen }))
    const version = looked['version']
    await call('forward', { ...asked, ...(version !== undefined && { version }) })
    expect(letters[0]?.files?.map(({ name }) => name)).toEqual(names)
  })

  it('sends none of a mail where a name fits no file', async () => {
    const { call, letters } = having({ mail: [mailFile('a.pdf')] })
    for (const chosen of [{ only: ['spreadsheet'] }, { without: ['pictures'] }])
      expect(await call('enclosed', { id: 'm1', ...chosen })).toMatchObject(refusal('nothing_found'))
    expect(letters).toEqual([])
  })

  it('stay where the owner says so', async () => {
    const { letters, call, looked } = having({ mail: [mailFile('invoice.pdf')] })
    expect(await looked({ id: 'm1', attachments: 'none' })).toEqual({ from: 'o@x.example', files: [] })
    expect(await call('forward', { ...forward, attachments: 'none' })).toMatchObject({ ok: true })
    expect(letters[0]?.files).toEqual([])
  })

  it('are not left behind in silence where they could not be looked at', async () => {
    const { letters, call } = having({ mail: [mailFile('invoice.pdf')] })
    expect(await call('forward', forward)).toMatchObject(refusal('event_changed'))
    expect(letters).toEqual([])
  })

  it('are refused where there are too many', async () => {
    const { call } = having({ mail: [...Array(11).keys()].map((at) => mailFile(`${at}.pdf`)) })
    expect(await call('enclosed', { id: 'm1' })).toMatchObject(refusal('file_too_large'))
  })
})

describe('names', () => {
  it.each([
    ['invoice.pdf', 'invoice.pdf'],
    ['a\r\nBcc: eve@evil.example\r\n.pdf', 'a_Bcc_ eve@evil.example_.pdf'],
    ['=?utf-8?Q?a=0D=0Ab.pdf?=', 'utf-8_Q_a_0D_0Ab.pdf_'],
    ['\u202efdp.exe', 'fdp.exe'],
    ['inv\u202efdp.exe', 'inv_fdp.exe'],
    ['../../.ssh/authorized_keys', 'ssh_authorized_keys'],
    ['C:\\Windows\\x.dll', 'C_Windows_x.dll'],
    ['.bashrc', 'bashrc'],
    ['', 'attachment'],
    ['\u200b\u2066', 'attachment'],
    ['a"; filename="b.exe', 'a_ filename_b.exe'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(96)}.pdf`],
    [`x.${'y'.repeat(300)}`, `x.${'y'.repeat(98)}`],
    ['Grüße 📎.pdf', 'Grüße 📎.pdf'],
  ])('%j arrives as %j', (given, arrives) => {
    expect(fileName(given)).toBe(arrives)
    expect(fileName(given).length).toBeLessThanOrEqual(100)
  })

  it.each([
    ['a name with headers in it', 'a\r\nBcc: eve@evil.example\r\n\r\nx.pdf', 'application/pdf'],
    ['an encoded name with headers in it', '=?utf-8?Q?a=0D=0ABcc=3A_eve=40evil.example?=', 'application/pdf'],
    ['a type with headers in it', 'a.pdf', 'text/plain\r\nBcc: eve@evil.example'],
    ['a type that is a mail', 'a.eml', 'message/rfc822'],
    ['a type of several parts', 'a.pdf', 'multipart/mixed; boundary=x'],
  ])('%s become one attachment and no header', async (_, name, type) => {
    const bytes = bytesOf('Bcc: eve@evil.example\r\n\r\nhello\nworld\r')
    const { letters, call, looked } = having({ mail: [mailFile(name, bytes, type)] })
    const { version } = await looked({ id: 'm1' })
    const sent = await call('forward', { to: ['tom@x.example'], id: 'm1', subject: 'x', text: 'y', version })
    expect(sent).toMatchObject({ ok: true })
    const [letter] = letters
    if (letter === undefined) throw new Error('nothing was sent')
    const whole = await composeMail(letter, { from: 'o@x.example', name: null, keepBcc: false })
    const [head = ''] = Buffer.from(whole).toString('latin1').split('\r\n\r\n')
    expect(head).not.toMatch(/^bcc:/im)
    const read = await PostalMime.parse(whole)
    expect(read.bcc ?? []).toEqual([])
    expect(read.attachments).toHaveLength(1)
    expect(Buffer.from(read.attachments[0]?.content as ArrayBuffer)).toEqual(Buffer.from(bytes))
    expect(read.attachments[0]?.filename).not.toMatch(/[\r\n/\\]/)
    expect(read.attachments[0]?.mimeType).toMatch(/^(?:application|text)\/[a-z.-]+$/)
  })

  it.each(['a.txt', 'a.html', 'a.csv', 'a.ics', 'a.md', 'a.eml'])('%s keeps every byte', async (name) => {
    const bytes = bytesOf('one\r\ntwo\nthree\rfour  \n.\n\u00e4\n')
    const { letters, call, looked } = having({ files: new Map([[`notes/${name}`, bytes]]) })
    const { version } = await looked({ files: [name] })
    expect(await call('send', { ...TO, files: [name], version })).toMatchObject({ ok: true })
    const [letter] = letters
    if (letter === undefined) throw new Error('nothing was sent')
    const whole = await composeMail(letter, { from: 'o@x.example', name: null, keepBcc: false })
    const [encoded = ''] = Buffer.from(whole)
      .toString('latin1')
      .split(/Content-Disposition: attachment[\s\S]*?\r\n\r\n/)
      .slice(1)
    const body = Buffer.from(encoded.split('\r\n--')[0] ?? '', 'base64')
    expect(body).toEqual(Buffer.from(bytes))
  })
})
