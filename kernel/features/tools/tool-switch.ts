/**
 * Switches a connected service off at once, on again by a card, and tests it (L-02); asks by a card whether to delete its
 * credential (L-07). Must neither switch on nor delete itself: change.ts does, in the transaction of the approval. Called by the
 * operations of this folder.
 */
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type {
  Actions,
  AskingTime,
  CredentialService,
  OwnerChats,
  SelfKnowledge,
  Tools,
} from '../../powers/ports.ts'
import type { ApprovalStore, StoreOf } from '../../powers/stores.ts'
import { isSentAlong, needFor, needsOf } from '../../tool/channel.ts'
import { tell } from '../../wording/words.ts'
import { propose } from '../approvals/change.ts'
import type { Channels } from '../channels/channel-port.ts'
import { auditName, connectedTitle, isConnected, namingOf } from '../credentials/ask-credential.ts'
import { serviceWish } from '../credentials/service-words.ts'
import type { DeliverPorts } from '../deliveries/deliver.ts'
import type { JobStore } from '../jobs/port.ts'
import type { SettingStore } from '../quiet/port.ts'
import type { Webservices } from '../webservices/port.ts'
import type { ServiceState, ServiceView, ToolSwitch } from './port.ts'
import { switchedOff, switchService } from './switched.ts'

type SwitchPorts = DeliverPorts &
  Actions &
  Tools &
  CredentialService &
  Channels &
  SelfKnowledge &
  OwnerChats &
  AskingTime &
  Webservices &
  StoreOf<SettingStore & ApprovalStore & JobStore>

export function createToolSwitch(powers: SwitchPorts): ToolSwitch {
  const list = (): readonly ServiceView[] =>
    needsOf(powers.registry).map((need) => ({
      ...{ service: need.service, title: connectedTitle(powers, need) },
      state: stateOf(powers, need.service),
    }))
  const find = (said: string): ServiceView | null => {
    const needs = needsOf(powers.registry)
    const name = said.trim().toLowerCase()
    const named = needs.find(({ service, title, called = [] }) =>
      [service, title.toLowerCase(), ...called].includes(name),
    )
    const byId = needs.find(({ service }) => auditName(powers, service) === name)
    const service = named?.service ?? byId?.service ?? serviceWish(said, needs)?.service
    return list().find((one) => one.service === service) ?? null
  }
  const connected = (said: string, unless: ServiceState): Result<ServiceView> => {
    const view = find(said)
    if (view === null) return err('tool_unknown')
    const facts = { service: view.service, title: view.title }
    if (view.state === 'open') return err('credential_missing', facts)
    return view.state === unless ? err('nothing_found', facts) : ok(view)
  }
  return {
    list,
    find,
    auditName: (service) => auditName(powers, service),
    off(said) {
      const found = connected(said, 'off')
      if (!found.ok) return found
      const { service } = found.value
      switchService(powers, { service, on: false })
      powers.self.touch('integration')
      return ok({ ...found.value, state: 'off', jobs: jobsOf(powers, service) })
    },
    async on(proposer, said) {
      const found = connected(said, 'on')
      if (!found.ok) return found
      const { service, title } = found.value
      const card = receive(tell('tools.card', { title }), namingOf(powers, [service], proposer.sink ?? ''))
      const change = { do: 'tool', service } as const
      const put = await propose(powers, proposer, { kind: 'admin_change', change, card })
      return put.ok ? ok({ ...found.value, ...put.value }) : put
    },
    async check(said) {
      const view = find(said)
      if (view === null) return err('tool_unknown')
      const { service, title, state } = view
      if (state === 'off') return err('service_off', { title })
      const checked = state === 'on' ? await powers.credentials?.check?.(service) : undefined
      return checked === undefined
        ? err('credential_missing', { service, title })
        : ok({ ...view, ...checked })
    },
    async remove(proposer, said) {
      const view = find(said)
      if (view === null) return err('tool_unknown')
      const { service, title } = view
      if (isSentAlong(powers.registry, service)) return err('tool_unavailable')
      // A demo in place of the service has a title of its own, and the owner cannot remove it.
      const own = needFor(powers, service)?.title ?? title
      if (own !== title || powers.credentials?.hasStored?.(service) !== true)
        return err('credential_missing', { title: own })
      const jobs = jobsOf(powers, service).join(', ')
      const stops = jobs === '' ? '' : tell('tools.stops', { jobs })
      const card = receive(tell('tools.remove_card', { title, stops }), kernelWords())
      const change = { do: 'disconnect', service } as const
      const put = await propose(powers, proposer, { kind: 'admin_change', change, card })
      return put.ok ? ok({ ...view, ...put.value }) : put
    },
  }
}

function stateOf(powers: SwitchPorts, service: string): ServiceState {
  if (!isConnected(powers, service)) return 'open'
  return switchedOff(powers).includes(service) ? 'off' : 'on'
}

/** Numbers of the active jobs that read from the service or write to it. */
function jobsOf({ store, registry }: SwitchPorts, service: string): readonly number[] {
  const isOf = (tool: string): boolean => registry.actions.get(tool)?.tool.credential === service
  return store
    .jobs()
    .filter(({ state }) => state === 'on')
    .filter(
      ({ frozen, page }) =>
        frozen.plan.steps.some((step) => 'tool' in step && isOf(step.tool)) ||
        (page !== null && isOf(page.tool)),
    )
    .map(({ number }) => number)
}
