/**
 * Audit facts about switching kinds of request: which are meant, and which of them are off. Ids only. Called by templates.off.
 */
import type { Facts } from '../../../operations/operation.ts'
import type { TemplateSwitch } from '../port.ts'

export function switchedState(templateSwitch: TemplateSwitch, which: string): Facts {
  const named = templateSwitch.named(which)
  return { templates: named.join(','), off: named.filter((id) => templateSwitch.isOff(id)).join(',') }
}
