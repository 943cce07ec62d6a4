/**
 * What an operation may do with models (D-07, N-28), and how one is seen by the owner. Types only. Called by the operations on models.
 */
import type { Level } from '../../flow/level.ts'

export interface NameCheck {
  readonly model: string
  readonly locality: 'home' | 'edge' | 'cloud'
  /** The name that its owner gave the assistant. */
  readonly expected: string
  /** What the model said, as a name; null where it said nothing. */
  readonly answer: string | null
  readonly passed: boolean
}

/** One model at home, as its owner sees it. */
export interface ModelView {
  readonly name: string
  readonly kind: string
  readonly model: string
  readonly locality: 'home' | 'cloud'
  /** The highest that it may ever read. */
  readonly clearance: string
  /** Place in the chain, from 1; null for one that only a template names. */
  readonly place: number | null
  readonly state: 'works' | 'resting' | 'trying' | 'misconfigured'
  /** Host that prompts go to. */
  readonly host: string
}

export interface ModelsPort {
  views(): readonly ModelView[]
  /** What of the configuration could not be used. */
  readonly trouble: { readonly key: string; readonly problem: string } | null
}

/** A template, and whom it asks. */
export interface TemplateView {
  readonly id: string
  readonly description: string
  readonly ceiling: Level
  readonly provider: string
  readonly asks: boolean
}
