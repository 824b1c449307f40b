/**
 * Sentence for a package that only those install who want it. In a folder that names it as an optional peer, npm installs
 * it with `--save-dev` alone.
 */
export function missingPackage(provider: string, name: string): string {
  return `The provider ${provider} needs a package that is not installed: npm install --global ${name}, or, where recalld is not global, npm install --save-dev ${name} in its folder.`
}
