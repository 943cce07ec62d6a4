/**
 * Runs the kernel effects on data that only home stores (powers/home-actions.ts). The edge's bundle has `home-effects-none.ts`
 * in its place (`#home-effects` in package.json). Must not decide whether the call is allowed. Called by kernel-effects.ts.
 */
import { runSetting, type SettingPorts } from '../features/admin/planned.ts'
import type { ContactPorts } from '../features/contacts/contacts.ts'
import { type ContactCall, runContact } from '../features/contacts/suggested.ts'
import { askForJob, type JobChangePorts, runJobChange, whichJob } from '../features/jobs/planned.ts'
import { changeFact, type FactChangePorts, whichFact } from '../features/memory/planned.ts'
import type { Json } from '../flow/json.ts'
import type { Labeled } from '../flow/labeled.ts'
import { err, type Result } from '../flow/verdict.ts'
import { lookUpAction } from '../powers/effects.ts'
import type { OwnerFacts } from '../powers/ports.ts'
import type { Task } from '../task/task.ts'

export { namesFor } from '../features/admin/named.ts'
export { checkSetting, wantedService } from '../features/admin/planned.ts'
export { rewords } from './values/reworded.ts'

export type HomeEffectPorts = ContactPorts & OwnerFacts & FactChangePorts & JobChangePorts & SettingPorts

type Values = Readonly<Record<string, Json>>

/** Refusals: tool_unknown; those of the effect. */
export function runHomeEffect(
  powers: HomeEffectPorts,
  task: Task,
  call: ContactCall,
): Promise<Result<Labeled<Values>>> {
  const { action, args } = call
  switch (action) {
    case 'contact.new':
    case 'contact.which':
    case 'contact.add':
      return runContact(powers, task, call)
    case 'memory.which':
      return whichFact(powers, task, args)
    case 'memory.forget':
    case 'memory.correct':
      return changeFact(powers, task, action, args)
    case 'job.which':
      return whichJob(powers, task, args)
    case 'job.set':
      return askForJob(powers, task, args)
    case 'job.stop':
    case 'job.resume':
    case 'job.skip':
    case 'job.run':
    case 'job.move':
    case 'job.remove':
      return runJobChange(powers, task, action, args)
    default: {
      const found = lookUpAction(powers.registry, action)
      return found.ok
        ? runSetting(powers, task, { action: found.value, args })
        : Promise.resolve(err('tool_unknown', { tool: action }))
    }
  }
}
