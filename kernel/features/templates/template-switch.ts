/**
 * Switches kinds of request of other people off at once, and on again by a card (L-03). Must not switch on itself: change.ts
 * does, in the transaction of the approval. Called by the operations of this folder, at home.
 */
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { AskingTime, ChangeNews, OwnerChats, Templates } from '../../powers/ports.ts'
import type { ApprovalStore, StoreOf } from '../../powers/stores.ts'
import type { Template } from '../../template/template.ts'
import { tell } from '../../wording/words.ts'
import { propose } from '../approvals/change.ts'
import type { DeliverPorts } from '../deliveries/deliver.ts'
import type { SettingStore } from '../quiet/port.ts'
import { isOfOthers, templatesNamed } from './named.ts'
import { switchTemplates, templatesOff } from './off.ts'
import type { TemplateSwitch } from './port.ts'

type SwitchPorts = DeliverPorts &
  Templates &
  ChangeNews &
  OwnerChats &
  AskingTime &
  StoreOf<SettingStore & ApprovalStore>

/** `freeTimes`: id of the action that reads free times. */
export function createTemplateSwitch(powers: SwitchPorts, freeTimes: string): TemplateSwitch {
  const named = (said: string): readonly Template[] =>
    templatesNamed(said, { templates: powers.templates, freeTimes })
  /** Named templates of other people whose state has to change. */
  const toSwitch = (said: string, on: boolean): Result<readonly Template[]> => {
    const found = named(said)
    const [first] = found
    if (first === undefined) return err('template_none_matches')
    const others = found.filter(isOfOthers)
    if (others.length === 0) return err('template_class_mismatch', { template: first.id })
    const off = templatesOff(powers)
    const those = others.filter(({ id }) => off.includes(id) === on)
    return those.length === 0 ? err('nothing_found', { template: first.id }) : ok(those)
  }
  return {
    named: (said) => named(said).filter(isOfOthers).map(idOf),
    isOff: (id) => templatesOff(powers).includes(id),
    off(said) {
      const those = toSwitch(said, false)
      if (!those.ok) return those
      const ids = those.value.map(idOf)
      switchTemplates(powers, { ids, on: false })
      return ok({ templates: those.value.map(({ id, description }) => ({ id, description })) })
    },
    async on(proposer, said) {
      const those = toSwitch(said, true)
      if (!those.ok) return those
      const lines = those.value.map(({ id, description }) => tell('templates.on_line', { id, description }))
      const card = receive(tell('templates.on_card', { lines: lines.join('\n') }), kernelWords())
      const change = { do: 'template', templates: those.value.map(idOf) } as const
      return propose(powers, proposer, { kind: 'admin_change', change, card })
    },
  }
}

function idOf({ id }: Template): string {
  return id
}
