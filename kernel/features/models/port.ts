/**
 * What an operation may do with models (D-07, N-28), and how one is shown to the owner. Types only. Called by the
 * operations on models.
 */
import type { Result } from '../../flow/verdict.ts'
import type { Proposer } from '../approvals/port.ts'
import type { Choice, Subject } from './choice.ts'

/**
 * `approval`: id of the card that was shown; null for a change that was made at once. Choices are in the form of `choiceWords`.
 */
export interface Chosen {
  readonly choice: string
  readonly before: string
  readonly approval: string | null
}

export interface ChoicePort {
  read(): Choice
  /** `model`: a name as people say it. Refusals: model_unknown, and those of `set`. */
  use(
    proposer: Proposer,
    said: { readonly model: string; readonly about: Subject | 'all' },
    views: readonly ModelView[],
  ): Promise<Result<Chosen>>
  /** Refusals: model_chosen if the choice is in force already, and those of `propose`. */
  set(proposer: Proposer, choice: Choice, views: readonly ModelView[]): Promise<Result<Chosen>>
}

export interface NameCheck {
  readonly model: string
  readonly locality: 'home' | 'edge' | 'cloud'
  /** The name that the owner gave the assistant. */
  readonly expected: string
  /** Name that the model answered with; null when it gave none. */
  readonly answer: string | null
  readonly passed: boolean
}

/** One model at home, as shown to its owner. */
export interface ModelView {
  readonly name: string
  readonly kind: string
  readonly model: string
  readonly locality: 'home' | 'cloud'
  /** Highest level that it may ever read. */
  readonly clearance: string
  /** Position in the fallback chain, from 1; null for a model that only a template names. */
  readonly place: number | null
  readonly state: 'works' | 'resting' | 'trying' | 'misconfigured'
  /** Host that receives the prompts. */
  readonly host: string
}

export interface ModelsPort {
  views(): readonly ModelView[]
  /** Configuration entry that could not be used. */
  readonly trouble: { readonly key: string; readonly problem: string } | null
}
