/** A message with a pasted key is deleted in its chat (H-16): once noted it is never forgotten, and the person hears of a failure. */
import { describe, expect, it } from 'vitest'
import { MAX_RETRACTIONS } from '../../kernel/features/deliveries/retraction.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { createDisk, createWorld, type Disk, message, type World } from './world.ts'

const KEY = `ghp_${'q7Zr2Lx9Vb4Nw8Kd1Tm6Pj3Hs5Gf0YcAeBu'}A`
const PASTED = { ...message(`use ${KEY}`, { id: 'm1' }), message: '4711' }

interface Chat {
  readonly world: World
  readonly asked: string[]
  answer: Result<true>
}

function chat(code: ReasonCode | null = null, disk: Disk = createDisk()): Chat {
  const asked: string[] = []
  const made: Chat = {
    asked,
    answer: code === null ? ok(true) : err(code),
    world: createWorld({
      disk,
      retract: ({ sink, message: name }) => {
        asked.push(`${sink} ${name}`)
        return made.answer
      },
    }),
  }
  return made
}

const taken = async ({ world }: Chat, event: Record<string, unknown> = PASTED): Promise<void> => {
  const received = await world.shell.receive(event)
  if (!received.ok) throw new Error(received.reason.code)
}
const drive = ({ world }: Chat): Promise<void> => world.shell.run('principal:owner')
const AT = 'sink:terminal:owner 4711'

describe('a message with a key', () => {
  it('is deleted where it stands, once, and the audit says so without it', async () => {
    const one = chat()
    await taken(one)
    await drive(one)
    await drive(one)
    expect(one.asked).toEqual([AT])
    const lines = one.world.audited.filter(({ facts }) => facts['kind'] === 'retraction')
    expect(lines.map(({ facts }) => facts)).toEqual([
      { sink: 'sink:terminal:owner', kind: 'retraction', ok: true, code: null },
    ])
    expect(JSON.stringify(one.world.audited)).not.toContain(KEY)
  })

  it('is deleted after a restart, when the process died between storing and deleting', async () => {
    const disk = createDisk()
    await taken(chat(null, disk))
    const next = chat(null, disk)
    await next.world.shell.tick()
    expect(next.asked).toEqual([AT])
    await next.world.shell.tick()
    expect(next.asked).toEqual([AT])
  })

  it('is tried again while the chat cannot be reached, at the moment that the place is told', async () => {
    const one = chat('network_failed')
    await taken(one)
    await drive(one)
    await drive(one)
    expect(one.asked).toHaveLength(1)
    const next = await one.world.shell.tick()
    expect(next).toBe(one.world.clock.now + 5_000)
    one.world.clock.now += 5_000
    one.answer = ok(true)
    await one.world.shell.tick()
    expect(one.asked).toEqual([AT, AT])
    expect(one.world.sent.map(({ text }) => text)).toEqual([wordsFor('secret_pasted')])
  })

  it('that cannot be deleted is told of, once', async () => {
    const one = chat('sink_unknown')
    await taken(one)
    await drive(one)
    await one.world.shell.tick()
    expect(one.asked).toHaveLength(1)
    expect(one.world.sent.map(({ text }) => text)).toEqual([
      wordsFor('secret_pasted'),
      wordsFor('message_not_deleted'),
    ])
  })

  it('is given up after its last attempt, aloud', async () => {
    const one = chat('network_failed')
    await taken(one)
    for (let n = 0; n < MAX_RETRACTIONS + 2; n += 1) {
      await one.world.shell.tick()
      one.world.clock.now += 40_000_000
    }
    expect(one.asked).toHaveLength(MAX_RETRACTIONS)
    expect(one.world.heard()).toBe(wordsFor('message_not_deleted'))
  })

  it.each<[string, Record<string, unknown>]>([
    ['holds no key', { ...message('hello', { id: 'm2' }), message: '4712' }],
    ['has no name in its chat', message(`use ${KEY}`, { id: 'm3' })],
  ])('that %s stays', async (_name, event) => {
    const one = chat()
    await taken(one, event)
    await drive(one)
    expect(one.asked).toEqual([])
  })

  it('of another principal waits for its own run', async () => {
    const one = chat()
    await taken(one)
    await createShell(one.world.powers).run('principal:telegram:peer:bob')
    expect(one.asked).toEqual([])
  })
})
