/**
 * What the assistant knows of itself, section by section (S000 §2): one table says where a section stands in a prompt,
 * how it is guarded and whose prompts have it (M-01, M-11, X-01b). Must not read a place or format words. Called by
 * snapshot.ts, view.ts and render.ts.
 */
import type { Labeled } from '../flow/labeled.ts'
import type { Level } from '../flow/level.ts'

/** Whose prompt it is: the owner's own, a paired person's, anyone else's. */
export type Audience = 'owner' | 'paired' | 'public'

export const INTEGRATION_STATES = Object.freeze(['active', 'reconnecting', 'failed', 'unavailable'] as const)
/** `unavailable`: it lives at home, and home is away (M-06). */
export type IntegrationState = (typeof INTEGRATION_STATES)[number]

/** Types and no interfaces, here and below, so that a section is plain data: it is labelled, and its bytes are digested. */
export type Persona = {
  /** What the assistant is called; the product's own name until its owner gives it another. */
  readonly name: string
  /** How it speaks, in the owner's words; null until he says. */
  readonly style: string | null
}

export type Integration = {
  readonly name: string
  /** How many actions it has. */
  readonly tools: number
  readonly categories: readonly string[]
  readonly state: IntegrationState
}

/** Name under which tools are counted that need no service: they are told of by what they do. */
export const OWN_TOOLS = 'own'

export type Named = {
  readonly name: string
  /** A channel's state, a job's schedule. */
  readonly note: string
}

/** An earlier message of the owner's, for after a restart (M-02). */
export type RecentTurn = {
  /** Whole minutes since. */
  readonly minutes: number
  /** His own words, cut. */
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

/** `minimal`: of interest to every call of the owner's; `full`: only to one that speaks with him. */
type Reach = 'every' | 'minimal' | 'full'

export interface SectionRule {
  /** Stable parts stand in the cached prefix, volatile ones behind it (P-25). */
  readonly part: 'stable' | 'volatile'
  /** Guard of the section as a whole; `own`: it brings the labels of what it is made of. */
  readonly level: Level | 'own'
  readonly audience: 'all' | 'owner'
  readonly reach: Reach
}

/**
 * Data: what the assistant is made of. Readers: prompts, by audience and clearance. Rationale: a stranger learns the
 * name and nothing else; preferences are the owner's private data; what was said bears the label it was said with; that
 * a question waits may tell what it is about, so it bears the label of its card.
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

/** Reading order of the sections (M-03). */
export const SELF_KINDS: readonly SelfKind[] = Object.freeze(Object.keys(SECTIONS) as SelfKind[])
