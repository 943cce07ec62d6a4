/**
 * The contract of a channel (DESIGN §9): its declaration, its table in `config.toml`, and the behaviour of its outbox and inbox.
 * Called by contract.test.ts with a row for each channel.
 */

import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import {
  type ChannelDeclaration,
  type ChannelTable,
  originVariable,
  tableLines,
} from '../../integrations/channels/runtime/declaration.ts'
import type {
  HomeChannel,
  HomeChannelPorts,
  HomePackage,
} from '../../integrations/channels/runtime/home-package.ts'
import { err } from '../../kernel/flow/verdict.ts'
import type { Delivery } from '../../kernel/powers/ports.ts'
import { parseConfig } from '../../sidecar/config/config.ts'
import { HOME_POLICY } from '../../sidecar/home/home-policy.ts'

export interface ContractInput {
  readonly declaration: ChannelDeclaration
  readonly home: HomePackage
  /** A valid table; null for a channel that needs none. */
  readonly table: ChannelTable | null
  /** The owner, as event sources name them. */
  readonly owner: string
  /** Home's database, migrated. */
  readonly database: () => HomeChannelPorts['database']
}

/** Answers no request: these cases call no service. */
function waysOf(
  database: HomeChannelPorts['database'],
  over: Partial<HomeChannelPorts> = {},
): HomeChannelPorts {
  return {
    origin: 'http://127.0.0.1:9',
    transport: { send: async () => err('network_failed') },
    token: () => ({
      issue: async () => err('credential_missing'),
      whose: async () => err('credential_missing'),
      settle: () => undefined,
    }),
    database,
    key: new Uint8Array(32),
    readers: {},
    now: () => 1,
    table: { write: () => true, remove: () => true },
    lookup: () => () => undefined,
    isPassing: () => false,
    diskRefusal: () => null,
    feed: { wake: () => undefined, drafts: { watched: () => false, show: () => undefined } },
    line: () => {
      throw new Error('home is not wired')
    },
    ...over,
  }
}

function delivery(sink: string): Delivery {
  const of = { sink, principal: 'p', task: null, turn: 1, label: 'internal' }
  return { id: 'd1', ...of, kind: 'answer', approval: null, text: 'hi', at: 1, previews: 'off' }
}

export function channelContract({ declaration, home, table, owner, database }: ContractInput): void {
  const { name, title, settings, needs } = declaration
  const open = (at: ChannelTable | null, over?: Partial<HomeChannelPorts>): Promise<HomeChannel> =>
    home.open(waysOf(database(), over), at)

  it('the channel’s name is valid in sources, sinks and commands', () => {
    expect(name).toMatch(/^[a-z][a-z0-9_]{0,31}$/)
    expect(title).not.toBe('')
    expect(home.declaration).toBe(declaration)
  })

  it('the channel’s sinks carry its name, and home knows them and clears them for private data', () => {
    for (const chat of [declaration.home, declaration.edge])
      if (chat !== null) expect(chat.sink).toBe(`sink:${name}:${chat.chat}`)
    const sink = HOME_POLICY.sinks.find(({ id }) => id === declaration.home?.sink)
    expect(sink).toMatchObject({ level: 'sensitive', place: 'home', audience: 'sole' })
  })

  it('a channel that needs a credential has a setup that says how to get it', async () => {
    if (needs.length === 0) return expect(home.setup).toBeUndefined()
    const setup = await home.setup?.()
    expect([setup?.words.prompts.length, setup?.tokensIn('no token')]).toEqual([needs.length, null])
    expect(originVariable(declaration)).toBe(`PFAR_${name.toUpperCase()}_API`)
    for (const { shape } of needs) expect(() => new RegExp(shape)).not.toThrow()
  })

  it('a written table is parsed back unchanged, and an invalid one is refused', () => {
    if (settings === null || table === null) return expect([settings, table]).toEqual([null, null])
    const lines = tableLines(declaration, table)
    const read = parseConfig(`${lines}\n`)
    expect(read.ok && read.value.channels).toEqual({ [name]: table })
    expect(parseConfig(`${lines}\nunknown = 1\n`)).toMatchObject({
      reason: { code: 'config_malformed', facts: { key: `${name}.unknown` } },
    })
    expect(z.safeParse(settings, {}).success).toBe(false)
  })

  it('a channel that is not set up has no chat, no owner and an empty status', async () => {
    if (table === null) return
    const channel = await open(null)
    expect([channel.now(), channel.owner(), channel.status()]).toEqual([null, null, {}])
    await channel.stop()
  })

  it('a configured channel has the table’s owner and sends only to the owner’s chat', async () => {
    const channel = await open(table)
    expect(channel.owner()).toBe(owner)
    const elsewhere = await channel.now()?.sender.send(delivery('sink:other:private'))
    expect(elsewhere).toEqual(err('sink_unknown', { sink: 'sink:other:private' }))
    expect(channel.now()?.line.isUnreachable).toBe(false)
    await channel.stop()
  })

  it('an activated channel can be left, and then has no chat', async () => {
    const removed: ChannelTable[] = []
    const file = { write: () => true, remove: (at: ChannelTable) => removed.push(at) > 0 }
    const channel = await open(table, { table: file })
    if (channel.activation === null) return expect(needs).toEqual([])
    expect(channel.activation.scope).toEqual({ tools: [`channel.${name}`], hosts: ['127.0.0.1:9'] })
    expect([channel.activation.isActive(), await channel.activation.leave()]).toEqual([true, null])
    expect([removed, channel.now(), channel.activation.isActive()]).toEqual([[table], null, false])
  })

  it('when the table could not be written, the channel names the lines to remove by hand', async () => {
    const channel = await open(table, { table: { write: () => false, remove: () => false } })
    if (channel.activation === null || table === null) return
    expect(await channel.activation.leave()).toContain(`[${name}]`)
  })
}
