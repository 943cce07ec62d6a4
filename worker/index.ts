/** The Worker's entry: the application and the classes of its Durable Objects, nothing else. Called by the platform. */
import { createApp } from './app.ts'

export { PrincipalObject } from '../durable-objects/principal/principal.ts'
export { KernelObject } from '../durable-objects/registry/kernel.ts'
export { TunnelObject } from '../durable-objects/tunnel/tunnel.ts'

export default createApp()
