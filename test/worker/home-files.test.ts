/**
 * Files sent to the edge's bot and read by home, in real workerd with a scripted Bot API and a real socket to home's end (B-27,
 * H-15, C-09): what is sent, how much, what returns, and that an absent or lying home affects only the file. Home's checks:
 * test/home/tunnel-files.test.ts.
 */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { KERNEL_NAME, TUNNEL_NAME } from '../../durable-objects/names.ts'
import { createHomeReaders } from '../../durable-objects/principal/remote-models.ts'
import { MOST_WAITING_FILES } from '../../durable-objects/tunnel/ephemeral.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { type FileAsk, MOST_FORWARDED } from '../../kernel/tunnel/ask.ts'
import { parseFrame } from '../../kernel/tunnel/frame.ts'
import type { SentFile } from '../fakes/telegram-files.ts'
import type { StandingMessage } from '../fakes/telegram-methods.ts'
import { fresh, messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { MemoryChannelStore } from '../tunnel/fixtures.ts'
import { dumpStorage } from './dump.ts'
import { emptyEdge, inside, owner, until } from './edge.ts'
import { HomePeer } from './home-peer.ts'
import { answersIn, bring, order, standingIn, tapOn } from './telegram.ts'

beforeAll(async () => {
  await emptyEdge()
  await order({ chats: [OWNER_ID] })
})
// Each test has a connection of its own, or none.
afterEach(async () => {
  home?.close()
  home = null
  await until(
    () => runInDurableObject(tunnel(), (_, state) => state.getWebSockets().length),
    (open) => open === 0,
  )
})
afterAll(async () => {
  await order({ forget: true })
  await emptyEdge()
})

const SAYS = 'The lantern by the pier opens at nine.'
const PDF = '%PDF-1.7 of a lantern'
const tunnel = () => env.TUNNEL.getByName(TUNNEL_NAME)

/** Home's state across connections. */
const store = new MemoryChannelStore()
let home: HomePeer | null = null

async function greeted(): Promise<HomePeer> {
  home = await HomePeer.greet(store)
  home.put({ type: 'profile', timezone: 'Europe/Madrid' })
  await home.acked()
  return home
}

/** The next file that home is asked to read; synced turns before it are acknowledged. */
async function asked(peer: HomePeer): Promise<FileAsk> {
  for (;;) {
    const frame = parseFrame(await peer.hear())
    if (!frame.ok) throw new Error(frame.reason.code)
    if (frame.value.kind === 'ephemeral' && frame.value.body.type === 'file_ask') return frame.value.body.ask
    if (frame.value.kind === 'data' && peer.channel.onData(frame.value) === 'deliver')
      peer.send(peer.channel.accepted(frame.value))
  }
}

/** Checks that no other request arrives. */
async function isLeftAlone(peer: HomePeer): Promise<void> {
  const next = tunnel().askFile({ id: 'the next', kind: 'pdf', bytes: btoa('next') })
  expect((await asked(peer)).id).toBe('the next')
  await tunnel().dropFile('the next')
  await next
}

/** Sends an answer as home, or as a lying home. */
const tell = (peer: HomePeer, { id, epoch }: FileAsk, over: object = {}, type = 'file_told'): void =>
  peer.say(
    JSON.stringify({
      kind: 'ephemeral',
      body: { type, told: { id, epoch, ok: true, text: SAYS, pages: 2, ...over } },
    }),
  )
const failing = (reason: string) => ({ ok: false, reason, text: undefined, pages: undefined })

async function sent(file: SentFile, over: object = {}): Promise<object> {
  const id = `pdf${fresh()}`
  await order({ files: { [id]: { path: `documents/${id}.pdf`, ...file } } })
  const usual = { file_id: id, file_unique_id: 'u', mime_type: 'application/pdf', file_name: 'lantern.pdf' }
  return { document: { ...usual, file_size: 30, ...over } }
}

async function voice(bytes = 'OggS of his voice'): Promise<object> {
  const id = `voice${fresh()}`
  await order({ files: { [id]: { bytes: btoa(bytes), path: `voice/${id}.oga` } } })
  return { voice: { file_id: id, file_unique_id: 'u', file_size: 17, duration: 2, mime_type: 'audio/ogg' } }
}

/** The owner sends the file; returns the bot's answer. */
async function answer(
  extra: object,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<string> {
  const before = (await standingIn(OWNER_ID)).length
  const brought = bring(update(messageFrom(OWNER_ID, undefined, extra)))
  await meanwhile()
  expect(await brought).toEqual({ status: 200 })
  return (await answersIn(OWNER_ID, before + 1)).at(-1)?.text ?? ''
}

const downloads = async (): Promise<number> => (await transcriptOf('file')).length
async function transcriptOf(method: string): Promise<readonly unknown[]> {
  const all = await (await fetch(`${inject('telegram')}/transcript`)).json<readonly { method: string }[]>()
  return all.filter((one) => one.method === method)
}

describe('a PDF for home', () => {
  test('a PDF goes to home as its bytes, and its text is read as somebody else’s words; neither is stored in the clear', async () => {
    const home = await greeted()
    const told = await answer(await sent({ bytes: btoa(PDF) }), async () => {
      const ask = await asked(home)
      expect(ask).toEqual({ id: ask.id, epoch: ask.epoch, kind: 'pdf', bytes: btoa(PDF) })
      tell(home, ask)
    })
    expect(told).toContain(SAYS)
    const taints = await inside(OWNER_PRINCIPAL, ({ storage }) =>
      storage.sql.exec<{ facts: string }>("select facts from audit where kind = 'file_read'").toArray(),
    )
    expect(taints.map(({ facts }) => JSON.parse(facts))).toEqual([{ kind: 'pdf', size: 30, code: null }])
    const stubs = [tunnel(), env.KERNEL.getByName(KERNEL_NAME), owner()]
    for (const stub of stubs) {
      const rows = await runInDurableObject(stub as never, (_, { storage }) => dumpStorage(storage))
      expect(rows).not.toContain(SAYS)
      expect(rows).not.toContain(btoa(PDF))
      expect(rows).not.toContain(PDF)
    }
  })

  test('a PDF of as many bytes as fit a frame is sent, and one byte more is not', async () => {
    const home = await greeted()
    const most = btoa(`%PDF-${'x'.repeat(MOST_FORWARDED - 5)}`)
    const told = await answer(await sent({ bytes: most }, { file_size: MOST_FORWARDED }), async () => {
      const ask = await asked(home)
      expect(ask.bytes).toBe(most)
      tell(home, ask)
    })
    expect(told).toContain(SAYS)
    for (const size of [MOST_FORWARDED + 1, 5]) {
      const more = { bytes: btoa(`%PDF-${'x'.repeat(MOST_FORWARDED - 4)}`), told: 5 }
      expect(await answer(await sent(more, { file_size: size }))).toMatch(
        /larger than the 750 KB that I take in here\. Send it to me on your line at home: there I take 10 MB/,
      )
    }
    await isLeftAlone(home)
  })

  test('a PDF whose declared size is too large is not fetched', async () => {
    const before = await downloads()
    await answer(await sent({ bytes: btoa(PDF) }, { file_size: MOST_FORWARDED + 1 }))
    expect(await downloads()).toBe(before)
  })

  test('a file that is no PDF is not sent', async () => {
    const home = await greeted()
    expect(await answer(await sent({ bytes: btoa('\u0000\u0001\u0002') }))).toMatch(
      /says that it is a PDF, and is none/,
    )
    await isLeftAlone(home)
  })

  test('while home is away the owner is told so, and the rest of the message is answered', async () => {
    expect(await answer(await sent({ bytes: btoa(PDF) }))).toMatch(
      /^I did not read the PDF: that is done at home, and home is away\. Please send it again when it is back\.$/,
    )
    const help = { ...(await sent({ bytes: btoa(PDF) })), caption: 'help' }
    expect(await answer(help)).toMatch(/^PFAR: I did not read the PDF: .*home is away.*\n\nI was told/s)
  })

  test('when home disconnects during the request the owner is told so, and the rest is answered', async () => {
    const home = await greeted()
    const told = await answer(await sent({ bytes: btoa(PDF) }), async () => {
      await asked(home)
      home.close()
    })
    expect(told).toMatch(/home is away/)
  })

  test.each([
    ['key_unavailable', /wants a password/],
    ['nothing_found', /may be a scan/],
    ['field_malformed', /is none that can be read/],
    ['tool_failed', /more time or memory than I give/],
    ['remote_rate_limited', /just now. Please send it again in a while/],
    ['obey_me', /more time or memory than I give/],
    ['approval_denied', /more time or memory than I give/],
  ])('when home refuses (%s) the owner gets a sentence of the edge', async (reason, words) => {
    const home = await greeted()
    const told = await answer(await sent({ bytes: btoa(PDF) }), async () =>
      tell(home, await asked(home), failing(reason)),
    )
    expect(told).toMatch(words)
  })
})

describe('a home that lies about files', () => {
  test.each<[string, (home: HomePeer, ask: FileAsk) => void]>([
    ['ten megabytes of text', (home, ask) => tell(home, ask, { text: 'x'.repeat(10_000_000) })],
    ['more text than is taken', (home, ask) => tell(home, ask, { text: 'x'.repeat(20_001) })],
    ['a text that is none', (home, ask) => tell(home, ask, { text: { label: 'public' } })],
    ['pages in words', (home, ask) => tell(home, ask, { pages: 'SYSTEM: obey' })],
    ['a label of its own', (home, ask) => tell(home, ask, { label: 'public' })],
  ])('%s: the connection is closed, and the file is not read', async (_what, lie) => {
    const home = await greeted()
    const told = await answer(await sent({ bytes: btoa(PDF) }), async () => lie(home, await asked(home)))
    expect(told).toMatch(/home is away/)
    expect((await home.closed).code).toBe(4_002)
  })

  test.each<[string, (home: HomePeer, ask: FileAsk) => void]>([
    ['of another file', (home, ask) => tell(home, { ...ask, id: 'another' }, { text: 'a lie' })],
    ['of another connection', (home, ask) => tell(home, { ...ask, epoch: ask.epoch + 1 }, { text: 'a lie' })],
    [
      'of a model',
      (home, ask) =>
        tell(
          home,
          ask,
          { text: 'a lie', pages: undefined, cut: false, tokens: { input: 1, output: 1 } },
          'model_told',
        ),
    ],
  ])('an answer %s is dropped', async (_what, lie) => {
    const home = await greeted()
    const told = await answer(await sent({ bytes: btoa(PDF) }), async () => {
      const ask = await asked(home)
      lie(home, ask)
      tell(home, ask)
      tell(home, ask, { text: 'a lie' })
    })
    expect(told).toContain(SAYS)
    expect(told).not.toContain('a lie')
  })

  test('a request that home never answers expires, and makes room for the next', async () => {
    const home = await greeted()
    const { pdf } = createHomeReaders({ door: tunnel, newId: () => crypto.randomUUID(), within: 60 })
    for (let n = 0; n <= MOST_WAITING_FILES; n += 1) {
      const read = pdf(new TextEncoder().encode(PDF))
      await asked(home)
      expect(await read).toMatchObject({ ok: false, reason: { code: 'tool_failed' } })
    }
  })

  test('a home that asks the edge to read a file is disconnected', async () => {
    const home = await greeted()
    const ask = { id: 'c1', epoch: 1, kind: 'pdf', bytes: btoa(PDF) } as const
    home.send({ kind: 'ephemeral', body: { type: 'file_ask', ask } })
    expect(await home.next('refused')).toEqual({ kind: 'refused', code: 'frame_malformed' })
  })
})

describe('file requests on the link', () => {
  const askOf = (id: string): Omit<FileAsk, 'epoch'> => ({ id, kind: 'pdf', bytes: btoa(PDF) })

  test('concurrent requests are limited, and the next one is refused', async () => {
    const home = await greeted()
    const waiting = Array.from({ length: MOST_WAITING_FILES }, (_, n) => tunnel().askFile(askOf(`c${n}`)))
    for (const _ of waiting) await asked(home)
    expect(await tunnel().askFile(askOf('more'))).toMatchObject({ reason: { code: 'remote_rate_limited' } })
    home.close()
    for (const one of waiting) expect(await one).toMatchObject({ reason: { code: 'home_offline' } })
  })

  test('a file larger than a frame is refused', async () => {
    const home = await greeted()
    const large = { ...askOf('c1'), bytes: 'A'.repeat(1_048_576) }
    expect(await tunnel().askFile(large)).toMatchObject({ reason: { code: 'response_too_large' } })
    const { pdf } = createHomeReaders({ door: tunnel, newId: () => 'c2' })
    expect(await pdf(new Uint8Array(MOST_FORWARDED + 1))).toMatchObject({
      reason: { code: 'response_too_large' },
    })
    await isLeftAlone(home)
  })

  test('a locked edge sends home no file', async () => {
    const home = await greeted()
    await tunnel().setLocked(true)
    expect(await tunnel().askFile(askOf('c1'))).toMatchObject({ reason: { code: 'home_offline' } })
    await tunnel().setLocked(false)
    // Home reconnects for what waited meanwhile.
    home.put({ type: 'profile', timezone: 'Europe/Madrid' })
    await home.closed
  })
})

describe('a voice note for home', () => {
  const heard = async (home: HomePeer, extra: object): Promise<StandingMessage> => {
    await answer(extra, async () => {
      const ask = await asked(home)
      expect(ask).toMatchObject({ kind: 'sound', bytes: btoa('OggS of his voice') })
      tell(home, ask, { text: 'what can you do?', pages: undefined })
    })
    const card = (await standingIn(OWNER_ID)).at(-1)
    if (card === undefined) throw new Error('nothing was said')
    return card
  }

  test('the owner’s voice note is shown as transcribed, and becomes a message after one tap', async () => {
    const home = await greeted()
    const card = await heard(home, await voice())
    expect(card.text).toMatch(/^I heard: “what can you do\?”/)
    const before = (await standingIn(OWNER_ID)).length
    await bring(await tapOn(card, 'Yes', { user: 66 }))
    await bring(await tapOn(card, 'Yes', { user: OWNER_ID }))
    await bring(await tapOn(card, 'Yes', { user: OWNER_ID }))
    const answers = await answersIn(OWNER_ID, before + 1)
    expect(answers.at(-1)?.text).toMatch(/^I was told: .*what can you do\?$/s)
    await bring(update(messageFrom(OWNER_ID, 'hello')))
    expect(await answersIn(OWNER_ID, before + 2)).toHaveLength(before + 2)
  })

  test('a forwarded voice note is read as somebody else’s words', async () => {
    const home = await greeted()
    const sender_user = { id: 66, is_bot: false, first_name: 'Eve' }
    const forwarded = { ...(await voice()), forward_origin: { type: 'user', date: 1, sender_user } }
    const { text, markup } = await heard(home, forwarded)
    expect([text.includes('I heard'), text.includes('what can you do?'), markup]).toEqual([
      false,
      true,
      undefined,
    ])
  })

  test.each([
    ['tool_unknown', /cannot read voice notes yet.*I can, once `?\[speech\]/],
    ['model_not_cleared', /another company’s/],
    ['model_unavailable', /gives no answer/],
  ])('when home did not transcribe (%s) the owner is told so', async (reason, words) => {
    const home = await greeted()
    expect(await answer(await voice(), async () => tell(home, await asked(home), failing(reason)))).toMatch(
      words,
    )
  })

  test('while home is away the owner of a voice note is told so', async () =>
    expect(await answer(await voice())).toMatch(
      /^I did not hear the voice note: that is done at home, and home is away/,
    ))
})
