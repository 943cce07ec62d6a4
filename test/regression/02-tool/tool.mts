/**
 * A tool that tries to reach what a call does not hand it. Every attempt stands under a directive that expects the
 * compiler to refuse it: where the compiler does not, the directive itself is the error. Compiled by 02-tool.test.ts.
 */
import type { Tool, ToolCall } from '../../../kernel/tool/manifest.ts'

declare const manifest: Tool['manifest']

export const probe: Tool = {
  manifest,
  execute: async (call: ToolCall) => {
    // @ts-expect-error the vault
    call.vault
    // @ts-expect-error a sealer
    call.sealer
    // @ts-expect-error storage
    call.store
    // @ts-expect-error configuration
    call.config
    // @ts-expect-error the environment
    call.env
    // @ts-expect-error other tools
    call.tools
    // @ts-expect-error the registry
    call.registry
    // @ts-expect-error the policy
    call.policy
    // @ts-expect-error the owner's profile
    call.profile
    // @ts-expect-error the shell
    call.shell
    // @ts-expect-error another credential
    call.credentials
    // @ts-expect-error a network without a host list
    call.fetch
    // @ts-expect-error the client's hosts
    call.http.hosts
    // @ts-expect-error the client's transport
    call.http.transport
    // @ts-expect-error a token for another tool
    call.capability.claims.tool = 'email.read'
    // @ts-expect-error a token for longer
    call.capability.claims.expiresAt += 1
    // @ts-expect-error other arguments than those that were authorised
    call.args['id'] = 'm2'
    // @ts-expect-error another client
    call.http = { ...call.http }
    // @ts-expect-error a credential of another scheme
    if (call.credential?.scheme === 'basic') return { ok: true, output: null }
    // @ts-expect-error the process
    process.env
    // @ts-expect-error modules of Node
    require('node:fs')
    return { ok: true, output: null }
  },
}
