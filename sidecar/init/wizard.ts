/**
 * Questions of `pfar init`: their type, and the loop that asks them in order. Each answer is stored
 * before the next question, so an interruption loses at most one. Must not know what a step does. Called by `pfar init`.
 */

import { tell as sentence } from '../language/wording.ts'

/** Already set up, or cannot be set up here; `says` explains. */
interface Settled {
  readonly state: 'done' | 'absent'
  readonly says: string
}

export type Look =
  | Settled
  /** `usual`: the answer that Enter gives. */
  | { readonly state: 'due'; readonly question: string; readonly usual: string }

interface Taken {
  /** False: the question is asked again. */
  readonly ok: boolean
  readonly says: string
  /** Stored in the record instead of `says`, if `says` contains the owner's own words. */
  readonly kept?: string
}

export interface Step {
  readonly name: string
  /** One word, shown before the result. */
  readonly title: string
  look(): Promise<Look>
  /** `answer`: as typed, or `usual`. Validated before anything is stored. */
  take(answer: string): Promise<Taken>
}

/** Shown during `pfar init` without a question. */
export interface Told extends Pick<Step, 'title'> {
  look(): Promise<Settled>
}

export const taken = (says: string): Taken => ({ ok: true, says })
export const again = (says: string): Taken => ({ ok: false, says })

interface Asker {
  /** Null if the owner cancels. */
  ask(question: string): Promise<string | null>
}

interface Answers {
  said(step: string): string | null
  keep(step: string, says: string): void
}

interface Wizard {
  readonly steps: readonly (Step | Told)[]
  readonly answers: Answers
  readonly asker: Asker
  readonly tell: (words: string) => void
}

const TITLE_WIDTH = 10

/** Whether all steps were completed. */
export async function runWizard({ steps, answers, asker, tell }: Wizard): Promise<boolean> {
  /** Positions of the earlier questions, for "back". */
  const behind: number[] = []
  let returned = false
  for (let at = 0; at < steps.length; ) {
    const step = steps[at]
    if (step === undefined) break
    if (!('take' in step)) {
      tell(line(step, (await step.look()).says))
      at += 1
      continue
    }
    const look = await step.look()
    const said = answers.said(step.name)
    if (look.state !== 'due' || (said !== null && !returned)) {
      tell(line(step, look.state === 'due' ? (said ?? '') : look.says))
      if (look.state === 'due') behind.push(at)
      ;[at, returned] = [at + 1, false]
      continue
    }
    const answer = await asker.ask(`\n${look.question}\n[${look.usual}] > `)
    if (answer === null) return false
    if (/^(?:back|zurück|zurueck)$/i.test(answer)) {
      const to = behind.pop()
      if (to === undefined) tell(sentence('init.first_question'))
      else [at, returned] = [to, true]
      continue
    }
    const taken = await step.take(answer === '' ? look.usual : answer)
    if (!taken.ok) {
      tell(taken.says)
      returned = true
      continue
    }
    tell(line(step, taken.says))
    answers.keep(step.name, taken.kept ?? taken.says)
    behind.push(at)
    ;[at, returned] = [at + 1, false]
  }
  return true
}

function line({ title }: Pick<Told, 'title'>, says: string): string {
  return `${title.padEnd(TITLE_WIDTH)} ${says}`
}
