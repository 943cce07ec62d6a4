/**
 * The ports of authorization, named once for its steps and for the code that passes them on. Types only.
 */
import type { AskCredentialPorts } from '../features/credentials/ask-credential.ts'
import type {
  AskingTime,
  DirectiveFiles,
  Ids,
  OwnerChats,
  OwnerService,
  TokenKey,
  Tools,
} from '../powers/ports.ts'
import type { CapabilityUses, StoreOf, Transactions } from '../powers/stores.ts'
import type { GuardPorts } from '../wording/guard/guard.ts'
import type { KernelEffectPorts } from './kernel-effects.ts'
import type { CallPorts } from './resolve.ts'

/** Ports needed to allow, refuse or ask about a step. Includes no model and nothing that sends. */
export type AuthorizePorts = AskCredentialPorts &
  KernelEffectPorts &
  Ids &
  GuardPorts &
  CallPorts &
  Tools &
  DirectiveFiles &
  TokenKey &
  OwnerChats &
  AskingTime &
  OwnerService &
  StoreOf<Transactions & CapabilityUses>
