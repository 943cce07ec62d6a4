/**
 * The sections of the assistant's self-description (S000 §2): one table gives a section's position in a prompt, its label
 * and its audience (M-01, M-11, X-01b). Must not read a place or format words. Called by snapshot.ts, view.ts and render.ts.
 */
import type { Labeled } from '../flow/labeled.ts'
import type { Level } from '../flow/level.ts'

/** Reader of the prompt: the owner, a paired person, or anyone else. */
export type Audience = 'owner' | 'paired' | 'public'

export const INTEGRATION_STATES = Object.freeze(['active', 'reconnecting', 'failed', 'unavailable'] as const)
/** `unavailable`: it runs at home, and home is offline (M-06). */
export type IntegrationState = (typeof INTEGRATION_STATES)[number]

/** Types, not interfaces, here and below, so that a section is plain data that can be labelled and digested. */
export type Persona = {
  /** The assistant's name; the product's name until the owner chooses one. */
  readonly name: string
  /** Style of speaking, in the owner's words; null until set. */
  readonly style: string | null
}

export type Integration = {
  readonly name: string
  /** Number of its actions. */
  readonly tools: number
  readonly categories: readonly string[]
  readonly state: IntegrationState
}

/** Name for tools that need no service. They are described by what they do. */
export const OWN_TOOLS = 'own'

export type Named = {
  readonly name: string
  /** A channel's state, a job's schedule. */
  readonly note: string
}

/** An earlier message of the owner's, shown after a restart (M-02). */
export type RecentTurn = {
  /** Whole minutes since. */
  readonly minutes: number
  /** The owner's words, shortened. */
  readonly words: string
}

export type SelfSection =
  | ({ readonly kind: 'persona' } & Persona)
  | { readonly kind: 'integrations'; readonly items: readonly Integration[] }
  | { readonly kind: 'skills'; readonly items: readonly Named[] }
  | { readonly kind: 'channels'; readonly items: readonly Named[] }
  | { readonly kind: 'jobs'; readonly items: readonly Named[] }
  | { readonly kind: 'categories'; readonly names: readonly string[] }
  | { readonly kind: 'preferences'; readonly lines: readonly string[] }
  | { readonly kind: 'recent'; readonly turns: readonly RecentTurn[] }
  | { readonly kind: 'pending'; readonly items: readonly Named[] }

export type SelfKind = SelfSection['kind']

/** The sections before they are opened. */
export interface SelfView {
  readonly version: string
  readonly sections: readonly { readonly kind: SelfKind; readonly value: Labeled }[]
}

/** `every`: for every call. `minimal`: for every call of the owner's. `full`: only for a call that answers the owner. */
type Reach = 'every' | 'minimal' | 'full'

export interface SectionRule {
  /** Stable parts are in the cached prefix, volatile ones after it (P-25). */
  readonly part: 'stable' | 'volatile'
  /** Level of the whole section; `own`: the labels of its contents. */
  readonly level: Level | 'own'
  readonly audience: 'all' | 'owner'
  readonly reach: Reach
}

/**
 * Data: what the assistant is made of. Readers: prompts, by audience and clearance. Rationale: an outside sender learns the
 * name and nothing else; preferences are the owner's private data; earlier words carry their own labels; an open question may
 * reveal its subject, so it carries the label of its card.
 */
export const SECTIONS: Readonly<Record<SelfKind, SectionRule>> = Object.freeze({
  persona: { part: 'stable', level: 'public', audience: 'all', reach: 'every' },
  integrations: { part: 'stable', level: 'internal', audience: 'owner', reach: 'minimal' },
  skills: { part: 'stable', level: 'internal', audience: 'owner', reach: 'minimal' },
  channels: { part: 'stable', level: 'internal', audience: 'owner', reach: 'full' },
  jobs: { part: 'stable', level: 'internal', audience: 'owner', reach: 'full' },
  categories: { part: 'stable', level: 'internal', audience: 'owner', reach: 'full' },
  preferences: { part: 'stable', level: 'sensitive', audience: 'owner', reach: 'full' },
  recent: { part: 'volatile', level: 'own', audience: 'owner', reach: 'full' },
  pending: { part: 'volatile', level: 'own', audience: 'owner', reach: 'full' },
})

/** Section order in a prompt (M-03). */
export const SELF_KINDS: readonly SelfKind[] = Object.freeze(Object.keys(SECTIONS) as SelfKind[])
