/**
 * People of the demo workspace. Names end in `.example`, which nobody can register (RFC 2606). Called by seed.ts and
 * scripts/start/demo-config.ts.
 */
export const DEMO_ACCOUNT = 'you@demo.example'

/** Contacts of the owner, so that a mail to them needs no question about the address. */
export const DEMO_CONTACTS: readonly { readonly name: string; readonly email: string }[] = Object.freeze([
  { name: 'Sarah Chen', email: 'sarah.chen@northwind.example' },
  { name: 'Tom Becker', email: 'tom.becker@northwind.example' },
])
