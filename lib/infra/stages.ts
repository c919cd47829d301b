import { RemovalPolicy } from "aws-cdk-lib";
import { shown } from "../schedule/index.ts";
import { SynthError } from "./errors.ts";

/** What a stage is for, and which ones run unasked. */
export interface StageProps {
  /**
   * What the stack is for, upper or lower case. In `dev` and in stages that begin with `preview` the table and the logs go
   * with the stack; in any other stage they are retained, and the table cannot be deleted by accident.
   */
  readonly stage: string;
  /**
   * The stages whose schedules are switched on. In the others a job runs on request, and where its overrides say
   * `enabled: true`.
   *
   * @default - all but those that begin with `preview`
   */
  readonly enabledStages?: readonly string[];
}

/** What becomes of data in a stage. */
export function removalPolicyOf({ stage }: StageProps): RemovalPolicy {
  return isSame(stage, "dev") || isPreview(stage) ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN;
}

/** Whether the schedules of a stage are switched on. */
export function isEnabled({ stage, enabledStages }: StageProps): boolean {
  return enabledStages?.some((enabled) => isSame(enabled, stage)) ?? !isPreview(stage);
}

/** @throws SynthError where a stage is no name */
export function checkStages(path: string, { stage, enabledStages = [] }: StageProps): void {
  if (!isName(stage)) {
    throw new SynthError(
      `${path}: stage is ${shown(stage)}. Allowed: a name without spaces, such as "dev", "prod" or "preview-42".`,
    );
  }
  if (!Array.isArray(enabledStages) || !enabledStages.every(isName)) {
    throw new SynthError(
      `${path}: enabledStages is ${shown(enabledStages)}. Allowed: a list of stages, such as ["prod"].`,
    );
  }
}

function isName(stage: unknown): boolean {
  return typeof stage === "string" && /^\S+$/.test(stage);
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** More than `preview` and `preview-…`: a stage that is spelled otherwise runs nothing, rather than everything. */
function isPreview(stage: string): boolean {
  return /^preview/i.test(stage);
}
