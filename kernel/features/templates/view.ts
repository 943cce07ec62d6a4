/**
 * One template as shown to the owner: who may start it, what it may read and do, and where its answers go. Called by
 * home-ports.ts.
 */
import type { Template } from '../../template/template.ts'
import { REPLY_TO_SENDER } from '../../template/template.ts'
import type { TemplateView } from './port.ts'

export function templateView(template: Template): TemplateView {
  const { id, description, ceiling, inference, principalClass, tools, sinks, triggers } = template
  return {
    ...{ id, description, ceiling: ceiling.level, provider: inference.provider },
    asks: inference.asksForCloud,
    who: principalClass,
    own: template.own === true,
    job: template.job !== undefined,
    ...{ tools, triggers },
    answers: sinks.map((sink) => (sink === REPLY_TO_SENDER ? 'asker' : sink)),
  }
}
