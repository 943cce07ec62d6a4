/**
 * Where each phase of a task may have data of each label (T-09, DESIGN §1): the whole matrix, asked of the code that
 * decides at run time. What is denied here never waits at the edge for home, and never leaves home for the edge.
 */
import { expect, it } from 'vitest'
import { releaseToPlace } from '../../kernel/features/deliveries/deliver.ts'
import { takeOpenMemory } from '../../kernel/features/memory/open-memory.ts'
import { acceptAnswer } from '../../kernel/features/places/home-call.ts'
import type { HomeAnswer } from '../../kernel/features/places/home-port.ts'
import type { Label } from '../../kernel/flow/label.ts'
import { openForPrompt, openForSink, openForTool } from '../../kernel/flow/labeled.ts'
import { PLACE_CLEARANCE, type Place, placeFor } from '../../kernel/flow/place.ts'
import { receive } from '../../kernel/flow/provenance.ts'
import { CLEAN, taintOf } from '../../kernel/flow/taint.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import { MEMORY_SINK } from '../../kernel/powers/effects.ts'
import { createApproval } from '../../kernel/task/approval.ts'
import { label } from '../flow/fixtures.ts'
import { createWorld, FRIDAY_NOON, type World } from './world.ts'

const LABELS = ['public', 'internal', 'sensitive', 'regulated', 'regulated:health', 'secret'] as const

const worlds: Readonly<Record<Place, World>> = {
  edge: createWorld({ place: 'edge' }),
  home: createWorld(),
}
const SINK: Readonly<Record<Place, string>> = { edge: 'sink:openline:owner', home: 'sink:terminal:owner' }
const TEMPLATE: Readonly<Record<Place, string>> = { edge: 'owner_open', home: 'owner_private' }

const holding = (guard: Label) => receive('words', { label: guard, taint: taintOf('raw', 'tool:x') })
const said = (result: Result<unknown>): string => (result.ok ? 'yes' : result.reason.code)
const sent = (guard: Label, place: Place, sink: string): string => {
  const to = { sink, template: TEMPLATE[place], now: FRIDAY_NOON }
  return said(openForSink(holding(guard), worlds[place].powers.policy(), to))
}

/** One phase: what it says to data of this label at this place. */
type Ask = (guard: Label, place: Place) => string | Promise<string>

/** The task begins, and stays for good, where its channel and the label of its words put it. */
const begin: Ask = (guard, channel) => placeFor({ ceiling: 'internal', channel, label: guard })

const callTool: Ask = (guard, place) =>
  said(openForTool(holding(guard), { tool: 'calendar.freebusy', place, ceiling: PLACE_CLEARANCE.home }))

/** With the model that every place has. */
const prompt: Ask = (guard, place) => {
  const reader = worlds[place].powers.models.at(-1)?.reader
  return reader === undefined ? 'no model' : said(openForPrompt(holding(guard), reader))
}

/** To the other machine, over the tunnel. */
const cross: Ask = (guard, place) => {
  const sink = place === 'edge' ? 'sink:place:home' : 'sink:place:edge'
  return said(releaseToPlace(worlds[place].powers, holding(guard), { sink, template: TEMPLATE[place] }))
}

const deliver: Ask = (guard, place) => sent(guard, place, SINK[place])
const save: Ask = (guard, place) => sent(guard, place, MEMORY_SINK[place])

/** Where a *yes* to a write with such arguments may come from. */
const approve: Ask = (guard, place) =>
  createApproval({
    ...{ id: 'a', task: 't', step: 's1', principal: 'principal:owner', tool: 'calendar.create_event' },
    ...{ sink: SINK[place], digest: 'd', card: 'c', reason: 'write_template_asks', label: guard, now: 1 },
  }).place

/** An answer of home with inputs of such a label, as the edge takes it. */
const accept: Ask = async (guard) => {
  const world = worlds.edge
  const id = await world.say('when am I free on Friday?')
  const task = world.disk.store.loadTask(id)
  const call = world.homeCalls.at(-1)
  if (task === null || call === undefined) throw new Error('home was not asked')
  const inputs = { label: guard, taint: CLEAN }
  const answer: HomeAnswer = {
    ...call,
    ok: true,
    output: { slots: [] },
    label: 'internal',
    inputs,
    reported: null,
  }
  const outcome = await acceptAnswer(world.powers, task, answer)
  await world.shell.homeAnswered({ ...call, ok: false, reason: 'tool_failed' })
  await world.shell.run('principal:owner')
  if (outcome.got === 'denied' || outcome.got === 'failed') return outcome.reason.code
  return outcome.got === 'result' ? 'yes' : outcome.got
}

/** A fact of such a label that the edge tells home. */
const remember: Ask = async (guard) => {
  const { powers, audited } = worlds.home
  const label = { atoms: guard.atoms.map((atom) => ({ ...atom })) }
  const content = { text: 'words', label, taint: { level: 'clean', origins: [], touchedBy: [] } }
  const from = audited.length
  const at = FRIDAY_NOON
  await takeOpenMemory(powers, {
    id: crypto.randomUUID(),
    principal: 'principal:owner',
    what: 'fact',
    at,
    content,
  })
  const denial = audited.slice(from).find(({ kind }) => kind === 'denial')
  return denial === undefined ? 'yes' : String(denial.facts['code'])
}

const [PLACE, MODEL, PART] = ['place_not_cleared', 'model_not_cleared', 'compartment_missing']
const [DOWN, SECRET] = ['write_down', 'secret_has_no_reader']

/** In the order of `LABELS`: `yes`, the place that is chosen, or the code of the refusal. */
const MATRIX: readonly (readonly [string, Place, Ask, readonly (string | undefined)[]])[] = [
  ['begin', 'edge', begin, ['edge', 'edge', 'home', 'home', 'home', 'home']],
  ['begin', 'home', begin, ['home', 'home', 'home', 'home', 'home', 'home']],
  ['call a tool', 'edge', callTool, ['yes', 'yes', PLACE, PLACE, PART, SECRET]],
  ['call a tool', 'home', callTool, ['yes', 'yes', 'yes', 'yes', 'yes', SECRET]],
  ['prompt a model', 'edge', prompt, ['yes', 'yes', MODEL, MODEL, MODEL, SECRET]],
  ['prompt a model', 'home', prompt, ['yes', 'yes', 'yes', 'yes', 'yes', SECRET]],
  ['send to the other place', 'edge', cross, ['yes', 'yes', 'yes', 'yes', 'yes', SECRET]],
  ['send to the other place', 'home', cross, ['yes', 'yes', DOWN, DOWN, PART, SECRET]],
  ['accept an answer of home', 'edge', accept, ['yes', 'yes', PLACE, PLACE, PART, SECRET]],
  ['remember what the edge tells', 'home', remember, ['yes', 'yes', PLACE, PLACE, PART, SECRET]],
  ['deliver in the own chat', 'edge', deliver, ['yes', 'yes', DOWN, DOWN, PART, SECRET]],
  ['deliver in the own chat', 'home', deliver, ['yes', 'yes', 'yes', DOWN, PART, SECRET]],
  ['save in memory', 'edge', save, ['yes', 'yes', DOWN, DOWN, PART, SECRET]],
  ['save in memory', 'home', save, ['yes', 'yes', 'yes', 'yes', 'yes', SECRET]],
  ['approve a write', 'edge', approve, ['edge', 'edge', 'home', 'home', 'home', 'home']],
  ['approve a write', 'home', approve, ['edge', 'edge', 'home', 'home', 'home', 'home']],
]

it.each(MATRIX)('%s at the %s', async (_phase, place, ask, expected) => {
  const found: string[] = []
  for (const name of LABELS) found.push(await ask(label(name), place))
  expect(found).toEqual(expected)
})
