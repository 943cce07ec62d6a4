/**
 * A model service over real HTTP that keeps prompts as the documented one does: everything up to a marked block, under all
 * the bytes before it; found again at that block or up to twenty blocks further forward, where an earlier call had
 * marked; nothing below the model's minimum; at most four marks; gone five minutes after its last use, or an hour after it where
 * that was asked for, and what is kept longer stands first. Counts tokens
 * with a real vocabulary. Its answers are scripted. Must not know anything of PFAR.
 */

import { createHash } from 'node:crypto'
import { encode } from 'gpt-tokenizer'
import { sendJson, serve } from '../kit/server.ts'

/** Blocks before a mark that are looked at, the marked one included. */
const LOOK_BACK = 20
const MOST_MARKS = 4
/** Milliseconds since the last use, by what a mark says. */
const LIFE = { '5m': 300_000, '1h': 3_600_000 } as const

interface Block {
  readonly text: string
  readonly cache_control?: { readonly type: string; readonly ttl?: keyof typeof LIFE }
}

export interface Body {
  readonly system: readonly Block[]
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[]
}

export interface Usage {
  readonly input_tokens: number
  readonly cache_creation_input_tokens: number
  readonly cache_read_input_tokens: number
  readonly output_tokens: number
}

export interface CachingOptions {
  readonly minimum: number
  readonly now: () => number
  readonly answer: (body: Body) => string
}

export interface CachingProvider {
  readonly url: string
  /** Every request as it came over the socket, with what was counted. */
  readonly seen: { readonly body: Body; readonly raw: string; readonly usage: Usage }[]
  close(): Promise<void>
}

export async function startCachingProvider(options: CachingOptions): Promise<CachingProvider> {
  const seen: CachingProvider['seen'] = []
  const count = createCounter(options)
  const { origin, close } = await serve((_request, response, raw) => {
    const body = JSON.parse(raw) as Body
    const counted = count(body)
    if (counted === null) {
      response.writeHead(400).end('{"type":"error"}')
      return
    }
    const text = options.answer(body)
    const usage = { ...counted, output_tokens: encode(text).length }
    seen.push({ body, raw, usage })
    sendJson(response, { content: [{ type: 'text', text }], stop_reason: 'end_turn', usage })
  })
  return { url: `${origin}/v1/messages`, seen, close }
}

interface Prefix {
  readonly key: string
  readonly tokens: number
  /** Milliseconds that it is to be kept for; 0 without a mark. */
  readonly life: number
}

/** Marks and ids that are drawn anew in every run: one may be a token longer than another, which is no matter of what is cached. */
const DRAWN = /(?<![0-9a-z])(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{4}(?:[0-9a-f]{4}){0,2}(?![0-9a-z])/g
const SAME = (id: string): string => 'c485f3eeb29b'.slice(0, id.length)

/** Null for a request with too many marks, or with a shorter one before a longer. */
function createCounter({
  minimum,
  now,
}: CachingOptions): (body: Body) => Omit<Usage, 'output_tokens'> | null {
  const used = new Map<string, { readonly at: number; readonly life: number }>()
  const isKept = (key: string): boolean => {
    const last = used.get(key)
    return last !== undefined && now() - last.at < last.life
  }
  const use = (key: string, life: number): void => {
    used.set(key, { at: now(), life: Math.max(life, isKept(key) ? (used.get(key)?.life ?? 0) : 0) })
  }
  return (body) => {
    const prefixes = prefixesOf(body)
    const marks = prefixes.flatMap(({ life }, at) => (life > 0 ? [at] : []))
    const lives = marks.map((at) => prefixes[at]?.life ?? 0)
    if (marks.length > MOST_MARKS || lives.some((life, at) => life > (lives[at - 1] ?? life))) return null
    const all = prefixes.at(-1)?.tokens ?? 0
    let read = 0
    for (const mark of marks.toReversed()) {
      const looked = prefixes.slice(Math.max(0, mark - LOOK_BACK + 1), mark + 1)
      const hit = looked.findLast(({ key }) => isKept(key))
      if (hit === undefined) continue
      use(hit.key, 0)
      read = hit.tokens
      break
    }
    const kept = prefixes.filter(({ life, tokens }) => life > 0 && tokens >= minimum)
    for (const { key, life } of kept) use(key, life)
    const upTo = Math.max(read, kept.at(-1)?.tokens ?? 0)
    return {
      cache_read_input_tokens: read,
      cache_creation_input_tokens: upTo - read,
      input_tokens: all - upTo,
    }
  }
}

/** System before messages; what lies under a block is all bytes up to its end. */
function prefixesOf({ system, messages }: Body): readonly Prefix[] {
  const blocks = [
    ...system.map((block) => ({ place: 'system', block })),
    ...messages.flatMap(({ role, content }) => content.map((block) => ({ place: role, block }))),
  ]
  let tokens = 0
  const hash = createHash('sha256')
  return blocks.map(({ place, block }) => {
    tokens += encode(block.text.replace(DRAWN, SAME)).length
    hash.update(JSON.stringify([place, block.text]))
    const { cache_control: mark } = block
    return { key: hash.copy().digest('hex'), tokens, life: mark === undefined ? 0 : LIFE[mark.ttl ?? '5m'] }
  })
}
