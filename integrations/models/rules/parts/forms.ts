/** How requests are said plainly, by the label of the trained table: those of the tools, and those of the owner's own things. Pure data. Called by by-parts.ts, plain.ts and sure.ts. */
import type { Form, Forms } from '../../../tools/form.ts'
import { TOOL_FORMS } from '../../../tools/forms.ts'
import { OPERATION_FORMS, OWN_FORMS } from './own-forms.ts'

const FORMS: Forms = { ...TOOL_FORMS, ...OWN_FORMS }

/** Null for what nobody says plainly. */
export function formOf(label: string): Form | null {
  return Object.hasOwn(FORMS, label) ? (FORMS[label] ?? null) : null
}

/** The same of an operation, which is no step of a plan. */
export function operationFormOf(label: string): Form | null {
  return Object.hasOwn(OPERATION_FORMS, label) ? (OPERATION_FORMS[label] ?? null) : null
}
