/** Mail servers that refuse, break off and lie, by script: a reason for each, nothing is sent twice, and what is unknown is called so. */
import { type AddressInfo, createServer } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { beforeAll, expect, it } from 'vitest'
import type { Letter, Mailbox } from '../../integrations/tools/email/mailbox-port.ts'
import { createEmailTool } from '../../integrations/tools/email/run.ts'
import { withImap } from '../../sidecar/mail/imap-client.ts'
import { createMailAccount, createMailPowers } from '../../sidecar/mail/mail-account.ts'
import {
  type Certificate,
  newCertificate,
  PASSWORD,
  type Script,
  settingsAt,
  startLines,
} from '../kit/mail-servers.ts'
import { callTool, outputOf, refusal } from '../tools/calls.ts'

const CREDENTIAL = { scheme: 'bearer', value: PASSWORD } as const
const LETTER: Letter = {
  to: ['tom@x.example'],
  cc: [],
  bcc: [],
  subject: 's',
  text: 'hello',
  messageId: 'abc',
}

let certificate: Certificate
beforeAll(() => {
  certificate = newCertificate()
})

const OK = '250 fine\n'
/** What a server of submission says to each command; `data` decides about the rest. */
function smtp(own: Readonly<Record<string, string | null>>, end: string | null | undefined = OK) {
  const seen: string[] = []
  let inData = false
  const script: Script = (line) => {
    if (inData) {
      if (line !== '.') return undefined
      inData = false
      seen.push('.')
      return end
    }
    const verb = line.split(' ')[0]?.toUpperCase() ?? ''
    seen.push(verb)
    if (Object.hasOwn(own, verb)) return own[verb]
    if (verb === 'EHLO') return '250-here\n250 AUTH PLAIN\n'
    if (verb === 'AUTH') return '235 in\n'
    if (verb === 'DATA') inData = true
    return verb === 'DATA' ? '354 go on\n' : verb === 'QUIT' ? '221 bye\n' : OK
  }
  return { script, seen }
}

/** A server of IMAP: `own` answers commands by name, and is given the tag. */
function imap(own: Readonly<Record<string, (tag: string, line: string) => string | null>> = {}): Script {
  return (line) => {
    const [tag = '', name = ''] = line.split(' ')
    const verb =
      name.toUpperCase() === 'UID' ? `UID ${line.split(' ')[2]?.toUpperCase()}` : name.toUpperCase()
    const answer = own[verb]
    if (answer !== undefined) return answer(tag, line)
    if (verb === 'CAPABILITY') return `* CAPABILITY IMAP4rev1 UIDPLUS SPECIAL-USE MOVE\n${tag} OK\n`
    if (verb === 'LIST') return `${FOLDERS}${tag} OK\n`
    if (verb === 'SELECT' || verb === 'EXAMINE') return `* 1 EXISTS\n* OK [UIDVALIDITY 7] v\n${tag} OK\n`
    if (verb === 'STATUS') return `* STATUS INBOX (UIDVALIDITY 7)\n${tag} OK\n`
    if (verb === 'UID SEARCH' || verb === 'SEARCH') return `* SEARCH 1\n${tag} OK\n`
    if (verb === 'LOGOUT') return `* BYE\n${tag} OK\n`
    return `${tag} OK\n`
  }
}
const FOLDERS =
  '* LIST (\\HasNoChildren) "/" INBOX\n* LIST (\\Sent) "/" Sent\n* LIST (\\Drafts) "/" Drafts\n* LIST (\\Trash) "/" Trash\n'
const ID = `7.1.${Buffer.from('INBOX').toString('base64url')}`

async function mailboxAt(imapScript: Script, smtpScript: Script): Promise<Mailbox> {
  const imapPort = await startLines(certificate, '* OK here', imapScript)
  const smtpPort = await startLines(certificate, '220 here', smtpScript)
  return createMailAccount(settingsAt(certificate, imapPort, smtpPort)).open(CREDENTIAL)
}

it.each([
  ['the password is wrong', { AUTH: '535 no\n' }, OK, 'remote_unauthorized'],
  ['the server is busy at the login', { AUTH: '454 later\n' }, OK, 'remote_unavailable'],
  ['the sender is refused', { MAIL: '550 no\n' }, OK, 'mail_refused'],
  ['every recipient is refused', { RCPT: '550 no such user\n' }, OK, 'mail_refused'],
  ['the mailbox of the recipient is full', { RCPT: '452 full\n' }, OK, 'mailbox_full'],
  ['data is refused at once', { DATA: '554 no\n' }, OK, 'mail_refused'],
  ['the text is refused', {}, '554 spam\n', 'mail_refused'],
  ['the text is too much', {}, '552 full\n', 'mailbox_full'],
  ['the connection ends before the text', { RCPT: null }, OK, 'network_failed'],
  ['the connection ends after the text, before a word about it', {}, null, 'write_outcome_unknown'],
] as const)('when %s, that is said, and sent once at most', async (_, own, end, code) => {
  const { script, seen } = smtp(own, end)
  const mailbox = await mailboxAt(imap(), script)
  const sent = await mailbox.send(LETTER)
  expect(sent).toMatchObject(refusal(code))
  const isSure = !sent.ok && sent.reason.facts['done'] === 'nothing'
  expect(isSure).toBe(code !== 'write_outcome_unknown')
  expect(seen.filter((verb) => verb === 'MAIL').length).toBeLessThanOrEqual(1)
  expect(seen.filter((verb) => verb === '.').length).toBeLessThanOrEqual(1)
})

it('a refusal in the middle of the text is a refusal', async () => {
  let lines = 0
  const { script: inner } = smtp({})
  let began = false
  const script: Script = (line, socket: TLSSocket) => {
    if (began) {
      lines += 1
      return lines === 1 ? '554 enough\n' : undefined
    }
    began = line.toUpperCase() === 'DATA'
    return inner(line, socket)
  }
  const mailbox = await mailboxAt(imap(), script)
  expect(await mailbox.send({ ...LETTER, text: 'x\n'.repeat(5_000) })).toMatchObject(refusal('mail_refused'))
})

it('a server that never finishes its handshake uses no more than the time that is left', async () => {
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const settings = settingsAt(certificate, port, port)
  // Without it connecting alone may take longer than this test.
  const filed = withImap(settings, CREDENTIAL, async () => ({ ok: true, value: true }), 50)
  expect(await filed).toMatchObject(refusal('network_failed'))
  silent.close()
}, 9_000)

it('what was sent stays sent when the copy cannot be filed', async () => {
  const { script, seen } = smtp({})
  const full = imap({
    'UID SEARCH': (tag) => `* SEARCH\n${tag} OK\n`,
    APPEND: (tag) => `${tag} NO [OVERQUOTA] full\n`,
  })
  const mailbox = await mailboxAt(full, script)
  expect(await mailbox.send(LETTER)).toEqual({ ok: true, value: { refused: [], filed: false } })
  expect(seen.filter((verb) => verb === '.')).toHaveLength(1)
})

it.each([
  [
    'the password is wrong',
    { LOGIN: (tag: string) => `${tag} NO [AUTHENTICATIONFAILED] no\n` },
    'remote_unauthorized',
  ],
  [
    'the server takes nobody in',
    { LOGIN: (tag: string) => `${tag} NO [UNAVAILABLE] later\n` },
    'remote_unavailable',
  ],
  [
    'the folder was numbered anew',
    { STATUS: (tag: string) => `* STATUS INBOX (UIDVALIDITY 8)\n${tag} OK\n` },
    'mail_renumbered',
  ],
  ['the connection ends while moving', { 'UID MOVE': () => null }, 'write_outcome_unknown'],
  ['moving is refused', { 'UID MOVE': (tag: string) => `${tag} NO no\n` }, 'remote_rejected'],
])('when %s, that is said of a mail to be deleted', async (_, own, code) => {
  const mailbox = await mailboxAt(imap(own), smtp({}).script)
  expect(await mailbox.move([ID], 'trash')).toMatchObject(refusal(code))
})

const can = (capabilities: string) => ({
  CAPABILITY: (tag: string) => `* CAPABILITY IMAP4rev1 SPECIAL-USE${capabilities}\n${tag} OK\n`,
})

/** `seen`: commands without their tags. */
function watched(script: Script) {
  const seen: string[] = []
  const all: Script = (line, socket) => {
    seen.push(line.split(' ').slice(1).join(' '))
    return script(line, socket)
  }
  return { script: all, seen }
}

it('a server that would remove what others marked as deleted, too, is asked to move nothing', async () => {
  const { script, seen } = watched(imap(can('')))
  const mailbox = await mailboxAt(script, smtp({}).script)
  expect(await mailbox.move([ID], 'trash')).toMatchObject(refusal('remote_rejected'))
  expect(seen.filter((line) => /EXPUNGE|COPY|STORE|MOVE/i.test(line))).toEqual([])
})

it.each([
  ['moves, and does not say where to', ' MOVE', 'UID MOVE 1'],
  ['only copies, and removes what it is told', ' UIDPLUS', 'UID EXPUNGE 1'],
])('a server that %s moves one mail, and it is counted', async (_, capability, command) => {
  const { script, seen } = watched(imap(can(capability)))
  const port = await startLines(certificate, '* OK', script)
  const mail = createMailPowers(settingsAt(certificate, port, 1))
  const tool = createEmailTool({ htmlText: async (html) => html, mail })
  const moved = await callTool(tool, 'email.delete', { ids: [ID] }, { credential: CREDENTIAL })
  expect(outputOf(moved)).toEqual({ emails: [], changed: 1, gone: 0 })
  expect(seen.some((line) => line.startsWith(command))).toBe(true)
  expect(seen).not.toContain('EXPUNGE')
})

const anyStatus = (tag: string, line: string): string =>
  `* STATUS ${/STATUS (\S+)/.exec(line)?.[1]} (UIDVALIDITY 7)\n${tag} OK\n`
const OTHER = `7.1.${Buffer.from('Work').toString('base64url')}`

it.each([
  ['the first folder is changed and the second refuses', 2, 'write_outcome_unknown', 'write_outcome_unknown'],
  ['the first folder refuses', 1, 'remote_rejected', 'remote_rejected'],
])('when %s, a change of mails of two folders says so', async (_, at, moved, marked) => {
  const refusing = () => {
    let asked = 0
    return (tag: string): string => `${tag} ${++asked === at ? 'NO no' : 'OK'}\n`
  }
  const own = { STATUS: anyStatus, 'UID MOVE': refusing(), 'UID STORE': refusing() }
  const mailbox = await mailboxAt(imap(own), smtp({}).script)
  expect(await mailbox.move([ID, OTHER], 'trash')).toMatchObject(refusal(moved))
  expect(await mailbox.mark([ID, OTHER], 'read')).toMatchObject(refusal(marked))
})

it('a second folder that is gone by then does not make the first one unchanged', async () => {
  const gone = (tag: string, line: string): string =>
    line.includes('Work') ? `${tag} NO [NONEXISTENT] no\n` : `* 1 EXISTS\n* OK [UIDVALIDITY 7] v\n${tag} OK\n`
  const mailbox = await mailboxAt(imap({ STATUS: anyStatus, SELECT: gone }), smtp({}).script)
  expect(await mailbox.move([ID, OTHER], 'trash')).toMatchObject(refusal('write_outcome_unknown'))
})

it('a mail that was copied and could not be removed is not said to be where it was', async () => {
  const own = { ...can(' UIDPLUS'), 'UID EXPUNGE': (tag: string) => `${tag} NO no\n` }
  const mailbox = await mailboxAt(imap(own), smtp({}).script)
  expect(await mailbox.move([ID], 'trash')).toMatchObject(refusal('write_outcome_unknown'))
})

/** As a server in this zone has them: it searches by its own days (RFC 3501, 6.4.4). */
function inboxAt(zone: string, mails: readonly string[]): Script {
  const offset = (Number(zone.slice(0, 3)) * 60 + Number(`${zone[0]}${zone.slice(3)}`)) * 60_000
  const local = mails.map((at) => new Date(Date.parse(at) + offset).toISOString())
  const stamp = (iso: string): string => {
    const [day, month, year] = new Date(iso).toUTCString().split(' ').slice(1)
    return `${day}-${month}-${year} ${iso.slice(11, 19)} ${zone}`
  }
  const dayIn = (line: string, key: string): string | null => {
    const day = new RegExp(`${key} "?(\\d+-\\w+-\\d+)`).exec(line)?.[1]
    return day === undefined ? null : new Date(`${day} UTC`).toISOString().slice(0, 10)
  }
  return imap({
    'UID SEARCH': (tag, line) => {
      const [since, before] = [dayIn(line, 'SINCE'), dayIn(line, 'BEFORE')]
      const uids = local.flatMap((iso, at) => {
        const day = iso.slice(0, 10)
        return (since === null || day >= since) && (before === null || day < before) ? [at + 1] : []
      })
      return `* SEARCH ${uids.join(' ')}\n${tag} OK\n`
    },
    'UID FETCH': (tag, line) => {
      const asked = (/FETCH (\S+)/.exec(line)?.[1] ?? '').split(',').map(Number)
      const rows = local.flatMap((iso, at) =>
        asked.includes(at + 1)
          ? [`* ${at + 1} FETCH (UID ${at + 1} FLAGS () INTERNALDATE "${stamp(iso)}")\n`]
          : [],
      )
      return `${rows.join('')}${tag} OK\n`
    },
  })
}

it.each([
  ['+01:00', '+0000'],
  ['-05:00', '+0000'],
  ['-05:00', '+0900'],
  ['+13:00', '-0800'],
])('mails of one day in %s are those of that day, at a server in %s', async (owner, server) => {
  const at = (time: string): string => new Date(`2026-11-${time}:00${owner}`).toISOString()
  const own = [at('19T00:00'), at('19T12:00'), at('19T23:59')]
  const mailbox = await mailboxAt(
    inboxAt(server, [at('18T12:00'), at('18T23:59'), ...own, at('20T00:00'), at('20T12:00')]),
    smtp({}).script,
  )
  const day = { since: `2026-11-19T00:00:00${owner}`, before: `2026-11-20T00:00:00${owner}` }
  const arrivals = async (count: number) => {
    const found = await mailbox.find({ folder: 'inbox', count, ...day })
    if (!found.ok) throw new Error(found.reason.code)
    const { messages, more } = found.value
    return { more, at: messages.map((one) => new Date(Number(one['internalDate'])).toISOString()) }
  }
  expect(await arrivals(10)).toEqual({ more: false, at: own.toReversed() })
  expect(await arrivals(2)).toEqual({ more: true, at: own.slice(1).toReversed() })
})

it.each([
  ['full', { APPEND: (tag: string) => `${tag} NO [OVERQUOTA] full\n` }, 'mailbox_full'],
  ['gone', { LIST: (tag: string) => `* LIST () "/" INBOX\n${tag} OK\n` }, 'mail_folder_missing'],
])('a draft for a mailbox that is %s is not said to be kept', async (_, own, code) => {
  const mailbox = await mailboxAt(imap(own), smtp({}).script)
  expect(await mailbox.draft(LETTER)).toMatchObject(refusal(code))
})

it('an id of the folder of before the numbers changed reads no other mail', async () => {
  const renumbered = (tag: string): string => `* 1 EXISTS\n* OK [UIDVALIDITY 8] v\n${tag} OK\n`
  const mailbox = await mailboxAt(imap({ EXAMINE: renumbered, SELECT: renumbered }), smtp({}).script)
  expect(await mailbox.read(ID)).toMatchObject(refusal('mail_renumbered'))
})

it.each(['', 'x', '0.1.SU5CT1g', '7.1.', '7.1.SU5CT1g\r\nx', '7.99999999999.SU5CT1g'])(
  'an id such as %j reaches no server',
  async (id) => {
    const mailbox = await mailboxAt(imap({ EXAMINE: () => null }), smtp({}).script)
    expect(await mailbox.read(id)).toMatchObject(refusal('tool_arguments_invalid'))
  },
)

/** A server of the kind that keeps all of the owner's folders below the inbox, with dots. */
function prefixed(capabilities: string) {
  const asked: string[] = []
  const script: Script = imap({
    CAPABILITY: (tag) => `* CAPABILITY IMAP4rev1 UIDPLUS MOVE NAMESPACE ${capabilities}\n${tag} OK\n`,
    NAMESPACE: (tag) => `* NAMESPACE (("INBOX." ".")) (("user." ".")) (("shared." "."))\n${tag} OK\n`,
    LIST: (tag, line) => {
      asked.push(line)
      if (line.endsWith('LIST "" ""')) return `* LIST (\\Noselect) "." ""\n${tag} OK\n`
      const names = ['INBOX', 'INBOX.Work', 'INBOX.Work.Bills', 'INBOX.Geb&APw-hren', 'shared.INBOX.Board']
      const counts = line.includes('STATUS') ? '* STATUS INBOX.Work.Bills (MESSAGES 4 UNSEEN 1)\n' : ''
      return `${names.map((name) => `* LIST () "." "${name}"\n`).join('')}${counts}${tag} OK\n`
    },
    STATUS: (tag, line) => {
      asked.push(line)
      return `${tag} OK\n`
    },
    CREATE: (tag, line) => {
      asked.push(line)
      return line.includes('Taken') ? `${tag} NO [ALREADYEXISTS] there\n` : `${tag} OK\n`
    },
  })
  return { script, verbs: () => asked.map((line) => line.split(' ').slice(1).join(' ')) }
}

it.each([
  ['LIST-STATUS', { mails: 4, unread: 1 }],
  ['', {}],
])(
  'folders below the inbox are named from there on, with counts only in one answer (%s)',
  async (has, counts) => {
    const { script, verbs } = prefixed(has)
    const mailbox = await mailboxAt(script, smtp({}).script)
    expect(await mailbox.folders()).toEqual({
      ok: true,
      value: [
        expect.objectContaining({ name: 'INBOX', use: 'inbox' }),
        expect.objectContaining({ name: 'Gebühren' }),
        expect.objectContaining({ name: 'Work' }),
        expect.objectContaining({ name: 'Work/Bills', ...counts }),
      ],
    })
    expect(verbs().filter((line) => line.startsWith('STATUS'))).toEqual([])
  },
)

it('a folder is made below the prefix of the owner’s own, and one that is there by then is not said to be made', async () => {
  const { script, verbs } = prefixed('')
  const mailbox = await mailboxAt(script, smtp({}).script)
  expect(await mailbox.makeFolder('Steuern', null)).toMatchObject({ ok: true, value: { name: 'Steuern' } })
  expect(await mailbox.makeFolder('Taken', null)).toMatchObject(refusal('mail_folder_exists'))
  for (const name of ['gebuehren', 'work'])
    expect(await mailbox.makeFolder(name, null)).toMatchObject(refusal('mail_folder_exists'))
  expect(await mailbox.makeFolder('Work.New', null)).toMatchObject(refusal('mail_folder_unfit'))
  expect(verbs().filter((line) => line.startsWith('CREATE'))).toEqual([
    'CREATE INBOX.Steuern',
    'CREATE INBOX.Taken',
  ])
  expect(await mailbox.find({ folder: { named: 'work/bills' }, count: 1 })).toMatchObject({
    ok: true,
    value: { folder: 'Work/Bills' },
  })
})

it.each([
  ['no answer', () => null, 'write_outcome_unknown'],
  ['a refusal', (tag: string) => `${tag} NO not you\n`, 'remote_rejected'],
] as const)('a folder with %s is not said to be there', async (_, CREATE, code) => {
  const mailbox = await mailboxAt(imap({ CREATE }), smtp({}).script)
  expect(await mailbox.makeFolder('Receipts', null)).toMatchObject(refusal(code))
})
