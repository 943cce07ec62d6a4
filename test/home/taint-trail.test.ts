/** The provenance of a value passes through the tunnel unchanged and in order, and stays with what is stored. */
import { expect, it } from 'vitest'
import { PUBLIC } from '../../kernel/flow/label.ts'
import type { Provenance } from '../../kernel/flow/labeled.ts'
import { type Body, encodeFrame, parseFrame } from '../../kernel/tunnel/frame.ts'
import { createWorld } from '../pipeline/world.ts'
import { homeAnswer, homeCall, openMemory } from '../tunnel/fixtures.ts'

const HANDS = ['tool:web.read', 'compose', 'b', 'a', 'compose:again']
const GUARD: Provenance = {
  label: PUBLIC,
  taint: { level: 'extracted', origins: ['tool:web.read'], touchedBy: HANDS },
}

function crossed(body: Body): Body {
  const frame = parseFrame(encodeFrame({ kind: 'data', seq: 1, body }))
  if (!frame.ok || frame.value.kind !== 'data' || frame.value.body.type === 'piece') throw new Error('lost')
  return frame.value.body
}

it('provenance of a call passes the tunnel unchanged', () => {
  const body = crossed({ type: 'home_call', call: homeCall('c1', { provenance: GUARD }) })
  expect(body.type === 'home_call' ? body.call.provenance : null).toEqual(GUARD)
})

it('provenance of an answer passes the tunnel unchanged, and into the stored result', async () => {
  const world = createWorld({ place: 'edge' })
  const id = await world.say('when am I free on Friday?')
  const asked = world.homeCalls.at(-1)
  if (asked === undefined) throw new Error('home was not asked')
  const { id: call, task, step } = asked
  const answer = { ...homeAnswer(call), ok: true, task, step, inputs: GUARD, output: { slots: [] } } as const
  const body = crossed({ type: 'home_answer', answer: { ...answer, label: 'internal', reported: null } })
  if (body.type !== 'home_answer') throw new Error(body.type)
  await world.shell.homeAnswered(body.answer)
  const kept = world.disk.store.loadTask(id)?.results['s1']
  expect(kept?.kind === 'sealed' ? kept.ref.taint.touchedBy : null).toEqual([
    'tool:calendar.freebusy',
    ...HANDS,
  ])
})

it('provenance of a memory passes the tunnel unchanged', () => {
  const told = openMemory('m1')
  const taint = { level: 'extracted', origins: ['x'], touchedBy: HANDS }
  const content = { text: 'words', label: { atoms: [] }, taint }
  const body = crossed({ type: 'memory', memory: { ...told, content } })
  expect(body.type === 'memory' ? body.memory.content : null).toEqual(content)
})
