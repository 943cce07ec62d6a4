/** As whom the owner writes: said in people's words, kept sealed, shown, taken back, and nothing that does not fit into a header or a card. */
import { describe, expect, it } from 'vitest'
import { NO_SENDER, senderAddress, senderName, signatureText } from '../../kernel/features/sender/sender.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import { operationInMessage } from '../../kernel/operations/commands.ts'
import type { Sealer } from '../../kernel/vault/sealer.ts'
import { createSenderStore } from '../../sidecar/mail/sender-store.ts'
import type { HomeNotes } from '../../sidecar/store/home-notes.ts'
import { createWorld, type World } from '../pipeline/world.ts'

const said = (text: string) => {
  const found = operationInMessage(text)
  return found === null ? null : [found.operation.name, found.args ?? {}]
}

describe('is understood', () => {
  it.each([
    ['my signature is Ada Lovelace', 'sender.sign', { signature: 'Ada Lovelace' }],
    [
      'My signature is:\nAda\nAnalytical Engines Ltd.',
      'sender.sign',
      { signature: 'Ada\nAnalytical Engines Ltd.' },
    ],
    ['sign my mails with Best, Ada', 'sender.sign', { signature: 'Best, Ada' }],
    ['meine Signatur ist Viele Grüße, Ada', 'sender.sign', { signature: 'Viele Grüße, Ada' }],
    ['unterschreibe meine Mails mit Ada', 'sender.sign', { signature: 'Ada' }],
    ['write as work@example.org', 'sender.use', { address: 'work@example.org' }],
    ['send my mails from work@example.org from now on', 'sender.use', { address: 'work@example.org' }],
    ['schreib ab jetzt', null, {}],
    ['schreibe als arbeit@example.org', 'sender.use', { address: 'arbeit@example.org' }],
    ['I also write as work@example.org', 'sender.add', { address: 'work@example.org' }],
    ['stop writing as work@example.org', 'sender.drop', { address: 'work@example.org' }],
    ['my mail name is Ada Lovelace', 'sender.name', { name: 'Ada Lovelace' }],
    ['remove my signature', 'sender.unsign', {}],
    ['what is my signature?', 'sender.show', {}],
    ['als wer schreibe ich?', 'sender.show', {}],
  ])('%j', (text, operation, args) => {
    expect(said(text)).toEqual(operation === null ? null : [operation, args])
  })

  it.each([
    'write as soon as you can to Tom',
    'sign the contract',
    'send my mails',
    'what is the signature of Tom?',
  ])('%s is something else', (text) => {
    expect(said(text)?.[0] ?? '').not.toMatch(/^sender/)
  })
})

describe('what fits', () => {
  it.each([
    'Ada\r\nBcc: eve@evil.example',
    'Ada\u202e',
    'Ada <eve@evil.example>',
    '"Ada"',
    '',
    'a'.repeat(81),
  ])('no name is %j', (typed) => {
    const name = senderName(typed)
    // A line break in a name becomes a space, so that a header has one line; what is left must not hold an address.
    expect(name.ok).toBe(false)
  })
  it.each(['x\u202ey', '\u0007', '', `${'a\n'.repeat(9)}a`, 'a'.repeat(1_001)])(
    'no signature is %j',
    (typed) => {
      expect(signatureText(typed)).toMatchObject({ ok: false, reason: { code: 'sender_malformed' } })
    },
  )
  it.each(['not an address', 'a@b', 'ä@x.example', 'a@x.example\r\nBcc: b@x.example', '<a@x.example>'])(
    'no address is %j',
    (typed) => {
      expect(senderAddress(typed).ok).toBe(false)
    },
  )
})

/** Bytes with a letter more each, which only this one opens. */
const SEALER: Pick<Sealer, 'seal' | 'open'> = {
  seal: async (_, bytes) => bytes.map((byte) => byte ^ 0x5a),
  open: async (_, bytes) => ok(bytes.map((byte) => byte ^ 0x5a)),
}

function input() {
  const kept = new Map<string, unknown>()
  const notes: Pick<HomeNotes, 'read' | 'write'> = {
    read: (name) => (kept.get(name) ?? null) as never,
    write: (name, value) => void kept.set(name, value),
  }
  const mail = {
    ...{ address: 'ada@home.example', user: 'ada', name: 'Ada', also: ['ada@old.example'], filesSent: false },
    ...{ imap: { host: 'x.example', port: 993 }, smtp: { host: 'x.example', port: 465 }, own: null },
  }
  return { kept, notes, mail }
}

function store() {
  const { kept, notes, mail } = input()
  return { kept, sender: createSenderStore({ notes, sealer: SEALER, mail }) }
}

describe('kept at home', () => {
  it('is what was connected with until something is said, and is sealed then', async () => {
    const { kept, sender } = store()
    expect(await sender.read()).toMatchObject({
      name: 'Ada',
      addresses: ['ada@old.example'],
      signature: null,
    })
    await sender.change({ signature: 'Best, Ada' })
    expect(String(kept.get('mailSender'))).not.toContain('Best')
    expect(Buffer.from(String(kept.get('mailSender')), 'base64').toString()).not.toContain('Best')
    expect(await sender.read()).toMatchObject({
      name: 'Ada',
      signature: 'Best, Ada',
      account: 'ada@home.example',
    })
  })

  it('is shown with the address of the mailbox that sends as usual', async () => {
    const { notes, mail } = input()
    const address = async (standard?: string) =>
      (await createSenderStore({ notes, sealer: SEALER, mail, standard }).read()).account
    expect(await address()).toBe('ada@home.example')
    expect(await address('ada@acme.example')).toBe('ada@acme.example')
  })

  it('loses none of two changes at once, and is taken back and forth', async () => {
    const { sender } = store()
    await Promise.all([sender.change({ name: 'A' }), sender.change({ signature: 'B' })])
    expect(await sender.read()).toMatchObject({ name: 'A', signature: 'B' })
    expect(await sender.restore()).toMatchObject({ name: 'A', signature: null })
    expect(await sender.restore()).toMatchObject({ name: 'A', signature: 'B' })
  })
})

describe('in a chat', () => {
  const at = (): World => createWorld({ sender: store().sender })

  it('is set, shown and taken back', async () => {
    const world = at()
    await world.say('my signature is:\nAda\n<b>Engines</b>')
    expect(world.heard()).toContain('Below your mails stands:\n    | Ada\n    | <b>Engines</b>')
    await world.say('/undo')
    expect(world.heard()).toContain('Taken back')
    await world.say('what is my signature?')
    expect(world.heard()).toContain('Nothing stands below your mails')
    await world.say('I also write as work@example.org')
    expect(world.heard()).toContain('You write from ada@home.example, unless you say otherwise.')
    expect(world.heard()).toContain('You write from work@example.org.')
    await world.say('write as work@example.org')
    expect(world.heard()).toContain('You write from work@example.org, unless you say otherwise.')
    await world.say('stop writing as work@example.org')
    expect(world.heard()).not.toContain('work@example.org')
  })

  it('says what does not fit, and changes nothing', async () => {
    const world = at()
    await world.say(`my signature is ${'a\n'.repeat(9)}b`)
    expect(world.heard()).toContain('A signature is text of at most eight lines')
    await world.say('stop writing as nobody@example.org')
    expect(world.heard()).toContain('That is none of the addresses')
    await world.say('what is my signature?')
    expect(world.heard()).toContain('Nothing stands below your mails')
  })

  it('leaves no word of it in the audit', async () => {
    const world = at()
    await world.say('my signature is Ada of the Engines')
    expect(JSON.stringify(world.disk.store.auditSince(0, 500))).not.toContain('Engines')
  })
})

it('an address that is there already is not there twice', async () => {
  expect(NO_SENDER.addresses).toEqual([])
  const world = createWorld({ sender: store().sender })
  await world.say('I also write as ADA@old.example')
  expect(world.heard().match(/ada@old\.example/gi)).toHaveLength(1)
})
