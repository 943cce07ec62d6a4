/** Both places of a grant that is used at the edge, with a link by hand between them. Called by test/pipeline/edge-grants.test.ts. */

import { serveHomeCall } from '../../kernel/features/models/serve.ts'
import type { HomeAnswer, HomeCall } from '../../kernel/features/places/home-port.ts'
import { heldGrant, type SyncedGrant, syncedGrants } from '../../kernel/tunnel/synced.ts'
import { OWNER, TOOLS } from './approvals-owner.ts'
import { createWorld, message, type World, type WorldOptions } from './world.ts'

export const TERMS = {
  ...{ template: 'scheduling', action: 'calendar.freebusy', daysAhead: 14, days: 30, perDay: 2 },
  fields: ['slots[].busy', 'slots[].from', 'slots[].to'],
}
export const ASK = 'is there a free slot on Friday?'
export const BOB = 'principal:telegram:peer:bob'

export interface Both {
  readonly home: World
  readonly edge: World
}

/** What home would tell the edge now. */
export function told({ powers, disk, clock }: World): readonly SyncedGrant[] {
  const grants = disk.store.grants().map(({ grant }) => grant)
  return syncedGrants(grants, { templates: powers.templates, now: clock.now })
}

/** As the tunnel hands it over. */
export function tellEdge({ home, edge }: Both, grants = told(home)): void {
  edge.granted.splice(0, edge.granted.length, ...grants.map((grant) => heldGrant(grant, 0)))
}

/** Home's owner agrees to these terms. */
export async function grant(home: World, terms: Partial<typeof TERMS> = {}): Promise<string> {
  const put = await home.ports.grants.allow(
    { principal: OWNER, place: 'home', message: 'm1' },
    { ...TERMS, ...terms },
  )
  if (!put.ok) throw new Error(put.reason.code)
  const { approval } = put.value
  const yes = { approval, decision: 'approve', principal: OWNER, place: 'home', message: 'm2' } as const
  const decided = await home.shell.decide(yes)
  if (!decided.ok) throw new Error(decided.reason.code)
  return (await home.ports.grants.list()).at(-1)?.id ?? ''
}

export function bothPlaces(options: WorldOptions = {}): Both {
  return { home: createWorld({ tools: TOOLS, ...options }), edge: createWorld({ place: 'edge' }) }
}

/** As a grant is given and told. */
export async function granted(terms: Partial<typeof TERMS> = {}, options: WorldOptions = {}): Promise<Both> {
  const both = bothPlaces(options)
  await grant(both.home, terms)
  tellEdge(both)
  return both
}

/** A stranger writes to the edge's chat; returns the answer so far when nothing more can be done without home. */
export async function asks({ edge }: Both, text: string, id: string, user = 'bob'): Promise<string> {
  const source = { adapter: 'telegram', user, chat: user, group: false }
  const event = { ...message(text, { id, place: 'edge', at: edge.clock.now }), source }
  const received = await edge.shell.receive(event)
  if (!received.ok) throw new Error(received.reason.code)
  await edge.shell.run(received.value.principal)
  return heard(edge, user)
}

export function heard({ sent }: World, user = 'bob'): string {
  return sent.filter(({ sink }) => sink === `sink:telegram:${user}`).at(-1)?.text ?? ''
}

/** The last question that the edge put to home. */
export function lastCall({ homeCalls }: World): HomeCall {
  const call = homeCalls.at(-1)
  if (call === undefined) throw new Error('home was not asked')
  return call
}

/** Home's answer to it, before the edge has it. */
export function served({ home }: Both, call: HomeCall): Promise<HomeAnswer> {
  return serveHomeCall(home.powers, { ...call, deadline: home.clock.now + 1 })
}

/** The whole way: asked at the edge, served at home, answered at the edge. */
export async function asksHome(both: Both, text: string, id: string, user = 'bob'): Promise<string> {
  await asks(both, text, id, user)
  const answer = await served(both, lastCall(both.edge))
  await both.edge.shell.homeAnswered(answer)
  await both.edge.shell.run(`principal:telegram:peer:${user}`)
  return heard(both.edge, user)
}
