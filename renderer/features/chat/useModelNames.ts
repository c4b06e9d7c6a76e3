import { modelName } from '../models/modelName.ts';
import { useModels } from '../models/modelsStore.ts';

/** Names models for people by their id; one that is gone keeps the name a step or chat has of it. */
export function useModelNames(): (id: string, kept: string) => string {
  const models = useModels();
  return (id, kept) => {
    const model = models.byId.get(id);
    return model === undefined ? kept : modelName(model);
  };
}
