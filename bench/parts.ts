/** Cost of the pure parts: extraction, the machine, one policy check, sealing. Called by bench/main.ts. */
import { createMessageExtractor } from '../integrations/extractors/message/message.ts'
import { joinLabels } from '../kernel/flow/label.ts'
import { checkEgress } from '../kernel/flow/policy.ts'
import { ownerWords, provenanceOf } from '../kernel/flow/provenance.ts'
import { advance, startTask } from '../kernel/machine/machine.ts'
import { createKeyRing, type DataKeyRow } from '../kernel/vault/key-ring.ts'
import type { SealAddress } from '../kernel/vault/sealer.ts'
import { HOME_POLICY } from '../sidecar/home/home-policy.ts'
import { randomOfNode } from '../sidecar/keys/home-keys.ts'
import { atMost, type Figure, percentile } from './figures.ts'

const SENTENCES = [
  'check my email',
  'book lunch with Sarah on Friday at 13:00',
  'when am I free next week?',
  'remember that the code is 4711',
]
const ROUNDS = 2_000
const NOW = Date.parse('2026-11-20T11:00:00Z')

export async function measureParts(): Promise<readonly Figure[]> {
  const extractor = createMessageExtractor()
  let turn = 0
  const extract = sample(() => {
    turn += 1
    extractor.extract(SENTENCES[turn % SENTENCES.length] ?? '', { now: NOW, timezone: 'Europe/Berlin' })
  })
  const words = ownerWords('sink:terminal:owner', 'sensitive')
  const ref = { id: 'r', version: 1, holds: { what: 'text' }, ...words } as const
  const { task } = startTask({
    ...{
      id: 't',
      trace: 't',
      template: 'owner_private',
      principal: 'principal:owner',
      event: 'e',
      place: 'home',
      turn: 1,
    },
    ...{ ceiling: { level: 'sensitive', compartments: [] }, tools: ['email.list'], maxToolCalls: 5 },
    ...{ sink: 'sink:terminal:owner', words: ref, memory: {}, createdAt: NOW },
  })
  const step = sample(() => advance(task, { got: 'extracted', said: ref, needsTools: true }))
  const label = joinLabels(words.label, provenanceOf('mail_body', 'tool:email.read').label)
  const check = sample(() =>
    checkEgress(HOME_POLICY, { label, sink: 'sink:terminal:owner', template: 'owner_private', now: NOW }),
  )
  const p95 = percentile(extract, 0.95)
  return [
    { name: 'extract a message, p50', value: percentile(extract, 0.5) * 1_000, unit: 'µs' },
    { name: 'extract a message, p95', value: p95 * 1_000, unit: 'µs', bound: atMost(p95, 10, '≤ 10 ms') },
    { name: 'advance the machine, p50', value: percentile(step, 0.5) * 1_000, unit: 'µs' },
    { name: 'check one flow, p50', value: percentile(check, 0.5) * 1_000, unit: 'µs' },
    ...(await measureSealing()),
  ]
}

function sample(run: () => unknown): readonly number[] {
  for (let warm = 0; warm < ROUNDS / 4; warm += 1) run()
  return Array.from({ length: ROUNDS }, () => {
    const begun = performance.now()
    run()
    return performance.now() - begun
  })
}

/** One kilobyte, like a message or a short mail. */
const RECORD_BYTES = 1_024

/** Sealed write and read, compared with a plain copy. */
async function measureSealing(): Promise<readonly Figure[]> {
  const rows: DataKeyRow[] = []
  const wrappedKeys = {
    generations: () => rows,
    add: (row: DataKeyRow) => void rows.push(row),
    destroy: () => 0,
  }
  const versions = { current: () => null, raise: () => undefined }
  const { sealer } = createKeyRing({ master: randomOfNode(32), wrappedKeys, versions, random: randomOfNode })
  const guard = { record: 'r1', label: 'sensitive', version: 1 }
  const address: SealAddress = { store: 'sessions', principal: 'principal:owner', ...guard }
  const text = 'a'.repeat(RECORD_BYTES)
  const plain = sample(() => new TextDecoder().decode(new TextEncoder().encode(text)))
  const sealed = await sampleAsync(async () => {
    const opened = await sealer.open(address, await sealer.seal(address, new TextEncoder().encode(text)))
    if (!opened.ok) throw new Error('a sealed record does not open')
    new TextDecoder().decode(opened.value)
  })
  return [
    { name: 'plain write and read of 1 KB, p50', value: percentile(plain, 0.5) * 1_000, unit: 'µs' },
    { name: 'sealed write and read of 1 KB, p50', value: percentile(sealed, 0.5) * 1_000, unit: 'µs' },
  ]
}

async function sampleAsync(run: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = []
  for (let round = -ROUNDS / 4; round < ROUNDS; round += 1) {
    const begun = performance.now()
    await run()
    if (round >= 0) times.push(performance.now() - begun)
  }
  return times
}
