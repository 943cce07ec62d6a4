/**
 * Finds what a step of a plan reads. Must not resolve a reference. Called by unseen.ts and by the machine.
 */
import { inputsOf, parseReference, type Step } from './plan.ts'

/** Roots of all references of a step, including that of its condition. */
export function rootsOf(step: Step): readonly string[] {
  const refs = [...inputsOf(step), ...(step.when === undefined ? [] : [step.when.ref])]
  return refs.flatMap((ref) => {
    const parsed = parseReference(ref)
    return parsed.ok ? [parsed.value.root] : []
  })
}
