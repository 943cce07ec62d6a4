/** Services as operations show and switch them. Types only. Called by the operations of this folder. */
import type { Result } from '../../flow/verdict.ts'
import type { Proposed, Proposer } from '../approvals/port.ts'
import type { Checked } from '../credentials/credential-port.ts'

export const SERVICE_STATES = Object.freeze(['on', 'off', 'open'] as const)
export type ServiceState = (typeof SERVICE_STATES)[number]

export interface ServiceView {
  /** Name of the credential in the manifests. */
  readonly service: string
  readonly title: string
  /** `open`: not connected. */
  readonly state: ServiceState
}

export interface ToolSwitch {
  list(): readonly ServiceView[]
  /** `said`: its name, or a sentence with it. Null if no installed service has that name. */
  find(said: string): ServiceView | null
  /**
   * Name of the service in the audit and in an undo call, which `find` accepts; for a host of the owner it does not reveal the
   * host.
   */
  auditName(service: string): string
  /** Effective at once, because it narrows. Refusals: tool_unknown, credential_missing, nothing_found if it is off already. */
  off(said: string): Result<ServiceView & { readonly jobs: readonly number[] }>
  /**
   * Sends an approval card. Refusals: tool_unknown, credential_missing, nothing_found if it is on already, and those of a
   * proposal.
   */
  on(proposer: Proposer, said: string): Promise<Result<ServiceView & Proposed>>
  /** Tests a connected service by one harmless call. Refusals: tool_unknown, credential_missing, service_off. */
  check(said: string): Promise<Result<ServiceView & Checked>>
  /**
   * Sends an approval card for deleting its credential. Refusals: tool_unknown, credential_missing if none is stored,
   * tool_unavailable for the key of a host, and those of a proposal.
   */
  remove(proposer: Proposer, said: string): Promise<Result<ServiceView & Proposed>>
}
