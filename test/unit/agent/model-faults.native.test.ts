import { modelFaults } from "./model-faults.js";

modelFaults("native");
