/** Why a text cannot be used as YAML. */
export class YamlFault extends Error {
  override readonly name = "YamlFault";

  constructor(
    readonly reason: string,
    readonly line?: number,
  ) {
    super(reason);
  }
}
